/** Recorded verdicts: one JSON file per grade, keyed by everything the judge saw. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../errors.ts";
import { GRADE_TOOLS } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest } from "./judge.ts";
import { TEMPLATE_VERSION } from "./messages.ts";

const record = z.object({
  key: z.string(),
  checks: z
    .array(
      z.object({
        outcome: z.enum(["pass", "fail"]),
        description: z.optional(z.string()),
        reason: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
  text: z.string(),
});

export interface RecordOptions {
  /** Folder of the records. */
  readonly folder: string;
  /** Takes known secrets out of what is written; without it, records are written as they are. */
  readonly redact?: (text: string) => string;
  /** Told once when a verdict could not be recorded: a slower next run, never a wrong verdict. */
  readonly warn: (message: string) => void;
}

/** Key of a request: a hash of model, messages, tools and template version, and so of everything the judge sees. */
export function recordKey({ model, messages }: JudgeRequest): string {
  const seen = { template: TEMPLATE_VERSION, model, messages, tools: GRADE_TOOLS };
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex");
}

/**
 * Answers from the records first and asks `judge` otherwise; without a judge (offline) a missing record is an error.
 * Only clean verdicts are kept: complete, and with at least one call.
 */
export function recordedJudge(judge: Judge | undefined, options: RecordOptions): Judge {
  let warned = false;
  return {
    grade: async (request, meter, signal) => {
      const key = recordKey(request);
      const recorded = await readRecord(options.folder, key);
      if (recorded) return { ...recorded, recorded: true };
      if (!judge) throw notRecorded(key);
      const answer = await judge.grade(request, meter, signal);
      if (answer.checks.length > 0 && !answer.incomplete) {
        await writeRecord(options, { key, model: request.model, ...answer }).catch((error: unknown) => {
          if (!warned) options.warn(`A verdict could not be recorded in cache-dir: ${messageOf(error)}`);
          warned = true;
        });
      }
      return answer;
    },
  };
}

function notRecorded(key: string): JudgeError {
  const help =
    "Run once without `offline` (the evidence, the grader's prompt or the model may have changed), and keep `cache-dir`.";
  return new JudgeError(
    "not-recorded",
    `No recorded verdict for this grade (${key.slice(0, 12)}…), and \`offline\` is set.`,
    { help },
  );
}

/** A record that is missing, torn or of another key is no record. */
async function readRecord(folder: string, key: string): Promise<JudgeAnswer | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, `${key}.json`), "utf8");
  } catch {
    return undefined;
  }
  const parsed = z.safeParse(record, safeJson(text));
  if (!parsed.success || parsed.data.key !== key) return undefined;
  const checks = parsed.data.checks.map(({ outcome, description, reason }) => ({
    outcome,
    ...(description === undefined ? {} : { description }),
    ...(reason === undefined ? {} : { reason }),
  }));
  return { checks, text: parsed.data.text };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written beside its name and renamed, so that no reader ever sees half a record. */
async function writeRecord(
  { folder, redact = (text) => text }: RecordOptions,
  { key, model, checks, text }: JudgeAnswer & { readonly key: string; readonly model: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${key}.${randomUUID()}`);
  const content = {
    key,
    model,
    template: TEMPLATE_VERSION,
    checks,
    text,
  };
  try {
    await writeFile(temporary, `${redact(JSON.stringify(content, null, 2))}\n`);
    await rename(temporary, join(folder, `${key}.json`));
  } finally {
    await rm(temporary, { force: true });
  }
}
