/** Recorded verdicts: one JSON file per grade, keyed by everything the judge can see. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { checkShape } from "../domain/grade.ts";
import { follow, namedByFile } from "../files/confine.ts";
import { formatNumber, jsonOf, messageOf } from "../text/format.ts";
import { readText } from "../files/read.ts";
import { replaceFile } from "../files/write.ts";
import { toolsOf } from "./conversation.ts";
import { type Judge, type JudgeAnswer, JudgeError, type JudgeRequest } from "./judge.ts";
import type { Redact } from "../safety/secrets.ts";
import { hashOf } from "../text/hash.ts";
import { TEMPLATE_VERSION } from "./message.ts";
import { FINGERPRINT_BYTES, MOST_FILES } from "../files/limits.ts";

const record = z.object({
  key: z.string(),
  checks: z.array(checkShape),
  text: z.string(),
  reads: z.optional(z.number()),
  servedBy: z.optional(z.string()),
  sent: z.optional(z.object({ api: z.enum(["chat", "responses"]), effort: z.optional(z.string()) })),
  changes: z._default(z.array(z.string()), []),
  withoutTools: z.optional(z.literal(true)),
  doubt: z.optional(z.string()),
  reportsReasoning: z.optional(z.boolean()),
});

interface RecordOptions {
  /** Folder of the records. */
  readonly folder: string;
  /** Redacts secrets in records; without it, none. */
  readonly redact?: Redact | undefined;
  /** What else the key depends on: a model's endpoint and its name there. */
  readonly variant?: (model: string) => string;
  /** Called once per problem if verdicts cannot be recorded, which costs time but changes no verdict. */
  readonly warn: (message: string) => void;
}

/**
 * Key of a request: a hash of everything the judge can see, that is model, messages, tools, template version and the
 * fingerprint of the readable files.
 */
export function recordKey(request: JudgeRequest, fingerprint?: string): string {
  const { model, effort, vote, messages } = request;
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
 * A judge that reuses recorded verdicts. Without `judge` (offline) a missing record is an error. Only clean verdicts are
 * recorded: complete, with at least one call, and with a fingerprint of the readable files.
 */
export function recordedJudge(judge: Judge | undefined, options: RecordOptions): Judge {
  const warned = new Set<string>();
  const warnOnce = (kind: string, message: string) => {
    if (!warned.has(kind)) options.warn(message);
    warned.add(kind);
  };
  return {
    grade: async (request, meter, signal) => {
      const { key, recordable, recorded } = await findRecord(request, options);
      if (recorded) return { ...recorded, recorded: true };
      if (!judge) throw await notRecordedError(options.folder);
      if (!recordable) warnOnce("size", TOO_MUCH);
      const answer = await judge.grade(request, meter, signal);
      if (recordable && hasChecks(answer) && !answer.incomplete && !answer.seemsCut) {
        await writeVerdict(options, { key, model: request.model, answer }).catch((error: unknown) => {
          warnOnce("write", `A verdict could not be recorded in cache-dir: ${messageOf(error)}`);
        });
      }
      return answer;
    },
  };
}

/** Prefix of the records' file names. Records of another template version are never read. */
const PREFIX = `v${String(TEMPLATE_VERSION)}-`;

function fileOf(folder: string, key: string): string {
  return join(folder, `${PREFIX}${key}.json`);
}

/** Looks up recorded verdicts, without a judge. */
export function recordFinder(
  options: Pick<RecordOptions, "folder" | "variant">,
): (request: JudgeRequest) => Promise<JudgeAnswer | undefined> {
  return async (request) => (await findRecord(request, options)).recorded;
}

/** A request's record and its key. Readable files without a fingerprint make it unrecordable. */
async function findRecord(
  request: JudgeRequest,
  { folder, variant }: Pick<RecordOptions, "folder" | "variant">,
): Promise<{
  readonly key: string;
  readonly recordable: boolean;
  readonly recorded?: JudgeAnswer | undefined;
}> {
  const { model, effort, files } = request;
  const fingerprint = await files?.fingerprint();
  const parts = [fingerprint, variant?.(model)].filter((part) => part !== undefined);
  const key = recordKey(request, parts.join(" "));
  if (files && fingerprint === undefined) return { key, recordable: false };
  const recorded = await readVerdict(folder, key);
  // One made without the effort that is asked for does not serve it.
  const serves = effort === undefined || recorded?.sent?.effort === effort;
  return { key, recordable: true, recorded: serves ? recorded : undefined };
}

const TOO_MUCH = `Verdicts of judges that can read more than ${String(FINGERPRINT_BYTES / 1024 ** 2)} MB of files, or more than ${formatNumber(MOST_FILES)} files, are not recorded in cache-dir.`;

/** The same message for all grades, so that reports group them. */
async function notRecordedError(folder: string): Promise<JudgeError> {
  const message = "No recorded verdict for this grade, and `offline` is set.";
  const names = await readdir(folder).catch(() => []);
  const help = names.some((name) => name.endsWith(".json"))
    ? "Run once without `offline` (the evidence, the grader's prompt, the model or its address may have changed), and keep `cache-dir`."
    : "`cache-dir` is empty: restore it before this step, or run once without `offline`.";
  return new JudgeError("not-recorded", message, { help: `${help} ${IN_RESULTS}` });
}

const IN_RESULTS =
  "For the verdicts in `results`, leave out `cache-dir` (at the command line: `--cache-dir none`).";

/** Reads a record; undefined if it is missing, damaged, of another key, or a link out of the folder. */
async function readVerdict(folder: string, key: string): Promise<JudgeAnswer | undefined> {
  const file = namedByFile(fileOf(folder, key), follow(folder).real);
  const read = "real" in file ? await readText(file.real) : undefined;
  if (!read || "failure" in read) return undefined;
  const parsed = z.safeParse(record, jsonOf(read.text));
  if (!parsed.success || parsed.data.key !== key || !hasChecks(parsed.data)) return undefined;
  const { key: _, ...answer } = parsed.data;
  return answer;
}

/** Whether there is a check: an answer without any call may be a lapse of the judge. */
function hasChecks({ checks }: Pick<JudgeAnswer, "checks">): boolean {
  return checks.length > 0;
}

async function writeVerdict(
  { folder, redact = (text) => text }: RecordOptions,
  { key, model, answer }: { readonly key: string; readonly model: string; readonly answer: JudgeAnswer },
): Promise<void> {
  const kept = z.parse(record, { ...answer, key });
  const content = { model, template: TEMPLATE_VERSION, ...kept };
  await replaceFile(fileOf(folder, key), `${redact(JSON.stringify(content, null, 2))}\n`);
}
