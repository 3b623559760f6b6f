/**
 * Reads a list of graders: prompt graders are run here, the others by waza. `checkpoints` are graders that waza runs
 * between the agent's turns.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type * as z from "zod/mini";
import type { Grader, Rubric } from "../domain/suite.ts";
import { error, isProblem, notice, warning, type Problem } from "../domain/problem.ts";
import { type Entry, itemsOf } from "./entry.ts";
import { type EvalLocation, namedText } from "./eval-paths.ts";
import { RUBRICS, problem } from "./problems.ts";
import { meantFor } from "./unknown-keys.ts";
import {
  BUILT_IN_RUBRICS,
  OTHER_GRADER,
  OTHER_TYPES,
  PROMPT_GRADER,
  readWith,
  type UnknownKey,
} from "./schema.ts";
import { isInside, slashes } from "../files/confine.ts";
import { listedCode, shorten } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Characters of a rubric's name in a message. */
const LONGEST_RUBRIC = 100;

/** The eval, and the task file, by which the paths of rubrics go. */
interface RubricPlace {
  readonly location: EvalLocation;
  readonly taskFile?: string | undefined;
}

interface GraderList {
  readonly graders: readonly Grader[];
  /** Names of graders of other types. */
  readonly otherGraders: readonly string[];
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/**
 * Reads the `graders:` of a file. A prompt grader with neither `prompt` nor `rubric` is an error at its line (waza:
 * "required field 'prompt' is missing"), and so is a `rubric` that cannot be loaded. Of two graders with one name the
 * later one wins, as in waza's result map. The unknown keys are those of the file and the configs that no problem names.
 */
export function readGraders(entries: Entry, unknown: readonly UnknownKey[], place: RubricPlace): GraderList {
  const byName = new Map<string, Grader | string>();
  const list: GraderList = { graders: [], otherGraders: [], problems: [], unknown: [...unknown] };
  for (const item of itemsOf(entries)) {
    const isPrompt = item.child("type").value === "prompt";
    const grader = isPrompt ? readPromptGrader(item, place, list) : readOtherGrader(item, list);
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
    otherGraders: all.filter((grader) => typeof grader === "string"),
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

function readPromptGrader(item: Entry, place: RubricPlace, list: GraderList): Grader | undefined {
  const entry = readEntry(item, PROMPT_GRADER, list);
  if (!entry) return undefined;
  const name = entry.name || `prompt-${String(Number(item.key) + 1)}`;
  const config = item.child("config");
  const { prompt, model, mode, continue_session: continueSession } = entry.config ?? {};
  const effort = readEffort(config.child("reasoning_effort"), list.problems);
  const unsupported = mode && mode !== "independent" ? `mode: ${mode}` : undefined;
  const rubric = loadRubric(config.child("rubric"), place);
  if (isProblem(rubric)) {
    list.problems.push(rubric);
    return undefined;
  }
  if (!prompt?.trim() && !rubric && !unsupported) {
    list.problems.push(missingPrompt(item, name, list.unknown));
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

/** The problem of a missing prompt, by a misspelled or misplaced key where there is one. */
function missingPrompt(item: Entry, name: string, unknown: UnknownKey[]): Problem {
  const message = `the prompt grader \`${name}\` has no \`prompt\``;
  const isMeant = ({ name: key, meant = "" }: UnknownKey) =>
    key.startsWith(`${item.name}.`) && HOLD_PROMPT.includes(meant);
  const help = "Add `prompt:` under its `config:`, with the instructions for the judge, or `rubric:`.";
  return (
    meantFor(message, unknown, isMeant) ??
    error("grader-without-prompt", `${message}.`, { help, at: item.at })
  );
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

/**
 * The rubric of a reference, which is a path if it has a separator, starts with `.` or `~`, or ends in `.md`, and a
 * built-in name otherwise (waza, internal/graders/rubric.go). Files are confined to the repository.
 */
function loadRubric({ value, at }: Entry, { location, taskFile }: RubricPlace): Rubric | Problem | undefined {
  const reference = typeof value === "string" ? value.trim() : "";
  if (reference === "") return undefined;
  const builtIn = BUILT_IN_RUBRICS.find((name) => name === reference);
  if (builtIn !== undefined) return readBuiltIn(builtIn);
  const name = shorten(reference.replace(/\s+/g, " "), LONGEST_RUBRIC);
  const meant = didYouMean(closest(basename(reference, ".md"), BUILT_IN_RUBRICS));
  if (!/[\\/]|^[.~]|\.md$/.test(reference) || reference.includes("\n"))
    return problem("rubric-name", at, name, meant);
  const named = { name: reference.replaceAll("\\", "/"), at, label: "the rubric" };
  // The folder of the grader's task file, that of its eval file, then the repository root.
  const folders = [...(taskFile === undefined ? [] : [dirname(taskFile)]), location.folder, location.top];
  const found = namedText([...new Set(folders)], named, { location });
  if (isProblem(found)) return { ...found, help: [meant ?? found.help ?? [], RUBRICS].flat().join(" ") };
  const { top, root } = location;
  const path = slashes(relative(isInside(found.path, top) ? top : root, found.path));
  return { name: path, isFile: true, instructions: found.text.trim() };
}

/**
 * A built-in rubric: beside this file in the sources, beside index.js in the bundle (scripts/build.ts).
 * Throws when this installation lacks its files.
 */
function readBuiltIn(name: (typeof BUILT_IN_RUBRICS)[number]): Rubric {
  return {
    name,
    instructions: readFileSync(join(import.meta.dirname, "built-in", `${name}.md`), "utf8").trim(),
  };
}
