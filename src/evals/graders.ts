/**
 * Reads a list of graders: prompt graders are run here, the others by waza. `checkpoints` are graders that waza runs
 * between the agent's turns.
 */
import type * as z from "zod/mini";
import type { Grader } from "../domain/suite.ts";
import { error, isProblem, notice, warning, type Problem } from "../domain/problem.ts";
import { type Entry, itemsOf } from "./entry.ts";
import { meantFor } from "./keys.ts";
import { problem } from "./problems.ts";
import { type UnknownKey, readWith } from "./read-with.ts";
import { type RubricFolders, loadRubric } from "./rubrics.ts";
import { OTHER_GRADER, OTHER_TYPES, PROMPT_GRADER, REMOVED_TYPES } from "./schema.ts";
import { listedCode } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

interface GraderList {
  readonly graders: readonly Grader[];
  /** Names of graders of other types. */
  readonly others: readonly string[];
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/**
 * Reads the `graders:` of a file. A prompt grader with neither `prompt` nor `rubric` is an error at its line (waza:
 * "required field 'prompt' is missing"), and so is a `rubric` that cannot be loaded. Of two graders with one name the
 * later one wins, as in waza's result map. The unknown keys are those of the file and the configs that no problem names.
 */
export function readGraders(
  entries: Entry,
  unknown: readonly UnknownKey[],
  rubrics: RubricFolders,
): GraderList {
  const byName = new Map<string, Grader | string>();
  const list: GraderList = { graders: [], others: [], problems: [], unknown: [...unknown] };
  for (const item of itemsOf(entries)) {
    const isPrompt = item.child("type").value === "prompt";
    const grader = isPrompt ? readPromptGrader(item, rubrics, list) : readOtherGrader(item, list);
    if (!grader) continue;
    const name = isPromptGrader(grader) ? grader.name : grader;
    const taken = byName.get(name);
    if (taken && (isPromptGrader(taken) || isPromptGrader(grader)))
      list.problems.push(problem("same-grader", item.at, name));
    byName.delete(name);
    byName.set(name, grader);
  }
  const all = [...byName.values()];
  return {
    ...list,
    graders: all.filter(isPromptGrader),
    others: all.filter((one) => typeof one === "string"),
  };
}

/** The entry of a grader, with its problems and its unknown keys in the list. */
function readEntry<T>(
  item: Entry,
  schema: z.ZodMiniType<T>,
  { problems, unknown }: GraderList,
): T | undefined {
  const read = readWith(item, schema);
  problems.push(...read.problems);
  unknown.push(...read.unknown);
  return read.data;
}

function readPromptGrader(item: Entry, rubrics: RubricFolders, list: GraderList): Grader | undefined {
  const entry = readEntry(item, PROMPT_GRADER, list);
  if (!entry) return undefined;
  const name = entry.name || `prompt-${String(Number(item.key) + 1)}`;
  const config = item.child("config");
  const { prompt, model, mode, continue_session: continueSession } = entry.config ?? {};
  const effort = readEffort(config.child("reasoning_effort"), list.problems);
  const unsupported = mode && mode !== "independent" ? `mode: ${mode}` : undefined;
  const rubric = loadRubric(config.child("rubric"), rubrics);
  if (isProblem(rubric)) {
    list.problems.push(rubric);
    return undefined;
  }
  if (!prompt?.trim() && !rubric && !unsupported) {
    noteMissingPrompt(item, name, list);
    return undefined;
  }
  noteMisunderstood(item, entry, list);
  return {
    name,
    weight: entry.weight && entry.weight > 0 ? entry.weight : 1,
    prompt: prompt ?? "",
    at: item.at,
    rubric,
    model: setModel(model),
    continueSession: continueSession ? true : undefined,
    effort,
    unsupported,
  };
}

/** Adds the problems of what is valid, and does not do what it seems to. */
function noteMisunderstood(
  item: Entry,
  entry: z.infer<typeof PROMPT_GRADER>,
  { problems }: GraderList,
): void {
  const [placeholder] = /(?<!\$)\{\{\s?[\w.]{1,60}\s?\}\}/.exec(entry.config?.prompt ?? "") ?? [];
  if (entry.weight !== undefined && entry.weight <= 0) {
    const help = "To leave a grader out, remove it; to keep it out of the score, name it in `advisory`.";
    const message = `\`weight: ${String(entry.weight)}\` counts as 1, as in waza.`;
    problems.push(warning("weight-of-zero", message, { help, at: item.child("weight").at }));
  }
  if (entry.model !== undefined) {
    const help = "Move `model` under the grader's `config`.";
    const message = "`model` beside `config` is ignored, as in waza.";
    problems.push(warning("misplaced-model", message, { help, at: item.child("model").keyAt }));
  }
  if (placeholder !== undefined) {
    const help = "Remove it: the judge is shown the task, the conversation and the answer.";
    const message = `nothing is filled in for \`${placeholder}\`: the prompt is sent as it is.`;
    problems.push(notice("placeholder", message, { help, at: item.child("config", "prompt").at }));
  }
}

/** The effort level of an entry: one of waza's, or OpenAI's `none` and `minimal`. Another is ignored, with a warning. */
export function readEffort({ key, value, at }: Entry, problems: Problem[]): string | undefined {
  const written = typeof value === "string" ? value : "";
  const level = written.trim().toLowerCase();
  if (level === "" || level === "auto") return undefined;
  if ([...EFFORTS, "none", "minimal"].includes(level)) return level;
  problems.push(problem("unknown-effort", at, String(key), written.slice(0, 60), listedCode(EFFORTS)));
  return undefined;
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

const HOLD_PROMPT = ["config", "config.prompt", "prompt", "rubric"];

/** Adds the problem of a missing prompt, which names a misspelled or misplaced key; that key is then not listed as unknown. */
function noteMissingPrompt(item: Entry, name: string, list: GraderList): void {
  const message = `the prompt grader \`${name}\` has no \`prompt\``;
  const own = `${item.name}.`;
  const index = list.unknown.findIndex(
    ({ name: key, meant = "" }) => key.startsWith(own) && HOLD_PROMPT.includes(meant),
  );
  const [wrong] = index < 0 ? [] : list.unknown.splice(index, 1);
  if (!wrong) {
    const help = "Add `prompt:` under its `config:`, with the instructions for the judge, or `rubric:`.";
    list.problems.push(error("grader-without-prompt", `${message}.`, { help, at: item.at }));
    return;
  }
  list.problems.push(meantFor(message, wrong));
}

/** The model; undefined for waza's `auto`, which means not set. */
export function setModel(model: string | undefined): string | undefined {
  return ["", "auto"].includes(model?.trim() ?? "") ? undefined : model;
}

/** The name of a grader of another type. A type that looks like a misspelled `prompt` is an error, or the grader would silently vanish. */
function readOtherGrader(item: Entry, list: GraderList): string | undefined {
  const { at, name } = item;
  const { problems } = list;
  const entry = readEntry(item, OTHER_GRADER, list);
  if (!entry) return undefined;
  const type = entry.type ?? "";
  const typed = type === "" ? "has no `type`" : `is of the type \`${type}\`, which waza does not have`;
  if (closest(type, ["prompt"]) || (!OTHER_TYPES.has(type) && entry.config?.prompt !== undefined)) {
    const help = "If it is for the judge, write `type: prompt`.";
    problems.push(error("misspelled-prompt-type", `a grader ${typed}.`, { help, at }));
  } else if (REMOVED_TYPES.has(type)) {
    const message = `a grader is of the type \`${type}\`, which waza no longer has; it is ignored.`;
    problems.push(notice("removed-grader-type", message, { at }));
  } else if (!OTHER_TYPES.has(type) && !entry.ref) {
    const help = didYouMean(closest(type, OTHER_TYPES)) ?? "Use one of waza's types.";
    problems.push(warning("unknown-grader-type", `a grader ${typed}; it is left out.`, { help, at }));
  }
  return entry.name || name;
}

function isPromptGrader(grader: Grader | string): grader is Grader {
  return typeof grader !== "string";
}

/** The notice that the graders of an entry are not run: results hold only the end of a run. */
export function checkpointNotice({ value, name, keyAt }: Entry): Problem[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  const message = `the graders in \`${name}\` are not run: they judge an agent between its turns, which only waza can.`;
  return [notice("checkpoint-graders", message, { at: keyAt })];
}
