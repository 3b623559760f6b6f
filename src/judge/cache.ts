/** Recorded verdicts: one JSON file per grade, keyed by everything the judge saw. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { follow, namedByFile } from "../files/confine.ts";
import { messageOf } from "../text/errors.ts";
import { readText } from "../files/read.ts";
import { replaceFile } from "../files/write.ts";
import { count, listedCode } from "../text/format.ts";
import { toolsOf } from "./conversation/tools.ts";
import { hashOf } from "./hash.ts";
import { readJson } from "./json.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Redact } from "./judge.ts";
import { TEMPLATE_VERSION } from "./evidence/messages.ts";

const record = z.object({
  key: z.string(),
  checks: z.array(
    z.object({
      outcome: z.enum(["pass", "fail"]),
      statement: z.optional(z.number()),
      description: z.optional(z.string()),
      reason: z.optional(z.string()),
      quotes: z.optional(z.object({ all: z.number(), missing: z.array(z.string()) })),
    }),
  ),
  choice: z.optional(
    z.object({
      winner: z.enum(["A", "B", "tie"]),
      magnitude: z.enum(["much-better", "slightly-better", "equal"]),
      reasoning: z.string(),
    }),
  ),
  text: z.string(),
  reads: z.optional(z.number()),
  servedBy: z.optional(z.string()),
  changes: z.optional(z.array(z.string())),
  withoutTools: z.optional(z.literal(true)),
  short: z.optional(z.object({ reported: z.number(), announced: z.number() })),
  /** Where the judge was asked. */
  address: z.optional(z.string()),
});

/** What a record holds besides the answer. */
type Recorded = Pick<z.infer<typeof record>, "address">;

export interface RecordOptions {
  /** Folder of the records. */
  readonly folder: string;
  /** Takes known secrets out of what is written; without it, records are written as they are. */
  readonly redact?: Redact | undefined;
  /** What else a verdict depends on: where a model is asked, and by which name. */
  readonly variant?: (model: string) => string;
  /** Where a model is asked, to tell a missing record from one for another address. */
  readonly addressOf?: (model: string) => string;
  /** Told once when records are of no use, or could not be written: a slower run, never a wrong verdict. */
  readonly warn: (message: string) => void;
  /** Told once what needs nobody's doing. */
  readonly tell?: ((message: string) => void) | undefined;
}

/**
 * Key of a request: a hash of model, messages, tools, template version and, of files that can be read, their
 * fingerprint; and so of everything the judge can see.
 */
export function recordKey(request: JudgeRequest, fingerprint?: string): string {
  const { model, effort, vote } = request;
  const messages = [...request.messages, ...(request.swapped ?? [])];
  const seen = {
    template: TEMPLATE_VERSION,
    model,
    roles: messages.map(({ role }) => role),
    tools: toolsOf(request),
    files: fingerprint || undefined,
    effort,
    // The first of several votes has the same key as a single one, so that its record serves both.
    sample: vote === 1 ? undefined : vote,
  };
  return hashOf([JSON.stringify(seen), ...messages.map(({ content }) => content)]);
}

/**
 * Answers from the records first and asks `judge` otherwise; without a judge (offline) a missing record is an error.
 * Only clean verdicts are kept: complete, with at least one call, and with a fingerprint of what could be read.
 */
export function recordedJudge(judge: Judge | undefined, options: RecordOptions): Judge {
  let looked: Promise<void> | undefined;
  const warned = new Set<string>();
  const warnOnce = (kind: string, message: string) => {
    if (!warned.has(kind)) options.warn(message);
    warned.add(kind);
  };
  return {
    grade: async (request, meter, signal) => {
      const { key, recordable } = await keyOf(request, options);
      const recorded = recordable ? await readRecord(options.folder, key) : undefined;
      if (recorded) return { ...recorded, recorded: true };
      looked ??= tellOfOld(options);
      await looked;
      if (!judge) throw await notRecorded(options, request.model);
      if (!recordable) warnOnce("size", TOO_MUCH);
      const answer = await judge.grade(request, meter, signal);
      if (recordable && saysSomething(answer) && !answer.incomplete && !answer.seemsCut) {
        await writeRecord(options, { key, model: request.model, answer }).catch((error: unknown) => {
          warnOnce("write", `A verdict could not be recorded in cache-dir: ${messageOf(error)}`);
        });
      }
      return answer;
    },
  };
}

/** A verdict's file, by the version of what the judge was sent: those of another version are never looked at. */
function fileOf(folder: string, key: string): string {
  return join(folder, `v${String(TEMPLATE_VERSION)}-${key}.json`);
}

async function tellOfOld({ folder, tell }: RecordOptions): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter(
    (name) => name.endsWith(".json") && !name.startsWith(`v${String(TEMPLATE_VERSION)}-`),
  );
  if (old.length === 0) return;
  tell?.(
    `${count(old.length, "verdict")} in cache-dir were recorded by an earlier version, which asked judges in other words: they are not used.`,
  );
}

/** Finds a recorded verdict, for who wants to know without asking anybody. */
export function recordFinder(
  options: Pick<RecordOptions, "folder" | "variant">,
): (request: JudgeRequest) => Promise<JudgeAnswer | undefined> {
  return async (request) => {
    const { key, recordable } = await keyOf(request, options);
    return recordable ? await readRecord(options.folder, key) : undefined;
  };
}

/** The key of a request's record. What a judge may read needs a fingerprint, or its verdict cannot be recorded. */
async function keyOf(
  request: JudgeRequest,
  { variant }: Pick<RecordOptions, "variant">,
): Promise<{ readonly key: string; readonly recordable: boolean }> {
  const fingerprint = await request.files?.fingerprint();
  const parts = [fingerprint, variant?.(request.model)].filter((part) => part !== undefined);
  return {
    key: recordKey(request, parts.join(" ")),
    recordable: !request.files || fingerprint !== undefined,
  };
}

const TOO_MUCH =
  "Verdicts of judges that can read more than 200 MB of files, or more than 50,000 files, are not recorded in cache-dir.";

/** Records that are read to see which address they are for. */
const LOOKED_AT = 20;

/** The same words for all grades, so that a page groups them. */
async function notRecorded({ folder, addressOf }: RecordOptions, model: string): Promise<JudgeError> {
  const message = "No recorded verdict for this grade, and `offline` is set.";
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const recorded = await addressesOf(folder, names);
  const asked = addressOf?.(model);
  const help =
    names.length === 0
      ? "`cache-dir` holds no records at all: restore it before this step, or run once without `offline`."
      : asked === undefined || recorded.size === 0 || recorded.has(asked)
        ? "Run once without `offline` (the evidence, the grader's prompt or the model may have changed), and keep `cache-dir`."
        : `The verdicts were recorded for ${listedCode(recorded, 2)}, and this run asks \`${asked}\`: set \`base-url\` to the address they were recorded for.`;
  return new JudgeError("not-recorded", message, { help });
}

/** The addresses that some of the records are for. */
async function addressesOf(folder: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const prefix = `v${String(TEMPLATE_VERSION)}-`;
  const keys = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length, -5));
  const records = await Promise.all(keys.slice(0, LOOKED_AT).map((key) => readRecord(folder, key)));
  return new Set(records.flatMap((found) => found?.address ?? []));
}

/** A record that is missing, torn, of another key or a link out of the folder is no record. */
async function readRecord(folder: string, key: string): Promise<(JudgeAnswer & Recorded) | undefined> {
  const found = namedByFile(fileOf(folder, key), follow(folder).real);
  const read = "real" in found ? await readText(found.real) : undefined;
  if (!read || "failure" in read) return undefined;
  const parsed = z.safeParse(record, readJson(read.text));
  if (!parsed.success || parsed.data.key !== key || !saysSomething(parsed.data)) return undefined;
  const { key: _, ...answer } = parsed.data;
  return answer;
}

/** A grade or a choice without any call may be a judge's slip. */
function saysSomething({ checks, choice }: Pick<JudgeAnswer, "checks" | "choice">): boolean {
  return checks.length > 0 || choice !== undefined;
}

/** What is recorded. */
interface Verdict {
  readonly key: string;
  readonly model: string;
  readonly answer: JudgeAnswer;
}

async function writeRecord(
  { folder, addressOf, redact = (text) => text }: RecordOptions,
  { key, model, answer }: Verdict,
): Promise<void> {
  const { checks, choice, text, reads, servedBy, changes, withoutTools, short } = answer;
  const verdict = { checks, choice, text, reads, servedBy, changes, withoutTools, short };
  const content = { key, model, address: addressOf?.(model), template: TEMPLATE_VERSION, ...verdict };
  await replaceFile(fileOf(folder, key), `${redact(JSON.stringify(content, null, 2))}\n`);
}
