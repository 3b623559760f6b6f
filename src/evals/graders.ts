/**
 * Reads a list of graders: prompt graders are run here, the others by waza. `checkpoints` are graders that waza runs
 * between the agent's turns.
 */
import type { Grader, OtherGrader } from "../domain/suite.ts";
import { error, isProblem, notice, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { meantFor } from "./keys.ts";
import { problem } from "./problems.ts";
import { type RubricFolders, loadRubric } from "./rubrics.ts";
import { type GraderEntry, OTHER_TYPES, REMOVED_TYPES, promptConfigSchema } from "./schema.ts";
import { type Path, type UnknownKey, type YamlSource, dotted, readWith } from "./yaml.ts";
import { listedCode } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

interface GraderList {
  readonly graders: Grader[];
  readonly others: OtherGrader[];
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/**
 * Reads a `graders:` list. A prompt grader with neither `prompt` nor `rubric` is an error at its line (waza:
 * "required field 'prompt' is missing"), and so is a `rubric` that cannot be loaded. Of two graders with one name the
 * later one wins, as in waza's result map. The unknown keys are those of the file and the configs that no problem names.
 */
export function readGraders(
  source: YamlSource,
  {
    entries = [],
    unknown,
  }: { readonly entries: readonly GraderEntry[] | undefined; readonly unknown: readonly UnknownKey[] },
  rubrics: RubricFolders,
): GraderList {
  const byName = new Map<string, Grader | OtherGrader>();
  const list: GraderList = { graders: [], others: [], problems: [], unknown: [...unknown] };
  for (const [index, entry] of entries.entries()) {
    const grader =
      entry.type === "prompt"
        ? readPromptGrader(source, { entry, index, rubrics }, list)
        : readOtherGrader(source, { entry, index, rubrics }, list);
    if (!grader) continue;
    const taken = byName.get(grader.name);
    if (taken && (isPromptGrader(taken) || isPromptGrader(grader))) {
      list.problems.push(problem("sameGrader", source.spanOf(["graders", index]), grader.name));
    }
    byName.delete(grader.name);
    byName.set(grader.name, grader);
  }
  for (const grader of byName.values()) {
    if (isPromptGrader(grader)) list.graders.push(grader);
    else list.others.push(grader);
  }
  return list;
}

interface ListedGrader {
  readonly entry: GraderEntry;
  readonly index: number;
  readonly rubrics: RubricFolders;
}

function readPromptGrader(
  source: YamlSource,
  { entry, index, rubrics }: ListedGrader,
  list: GraderList,
): Grader | undefined {
  const path = ["graders", index];
  const at = source.spanOf(path);
  const name = entry.name || `prompt-${String(index + 1)}`;
  const read = readWith(source, promptConfigSchema, { value: entry.config ?? {}, path: [...path, "config"] });
  list.problems.push(...read.problems);
  list.unknown.push(...read.unknown);
  if (!read.data) return undefined;
  const { prompt, model, rubric: reference, mode, continue_session: continueSession } = read.data;
  const where = source.spanOf([...path, "config", "reasoning_effort"]);
  const effort = readEffort("reasoning_effort", read.data.reasoning_effort, {
    at: where,
    problems: list.problems,
  });
  const unsupported = mode && mode !== "independent" ? `mode: ${mode}` : undefined;
  const rubricAt = source.spanOf([...path, "config", "rubric"]);
  const rubric = reference?.trim() ? loadRubric(reference.trim(), rubrics, rubricAt) : undefined;
  if (isProblem(rubric)) {
    list.problems.push(rubric);
    return undefined;
  }
  if (!prompt?.trim() && !rubric && !unsupported) {
    noteMissingPrompt(source, { name, path }, list);
    return undefined;
  }
  list.problems.push(...misunderstood(source, path, { entry, prompt }));
  return {
    name,
    weight: entry.weight && entry.weight > 0 ? entry.weight : 1,
    prompt: prompt ?? "",
    at,
    rubric,
    model: setModel(model),
    continueSession: continueSession ? true : undefined,
    effort,
    unsupported,
  };
}

/** What is valid, and does not do what it seems to. */
function misunderstood(
  source: YamlSource,
  path: Path,
  { entry, prompt = "" }: { readonly entry: GraderEntry; readonly prompt?: string | undefined },
): Problem[] {
  const [placeholder] = /(?<!\$)\{\{\s?[\w.]{1,60}\s?\}\}/.exec(prompt) ?? [];
  return [
    ...(entry.weight !== undefined && entry.weight <= 0
      ? [
          warning("weight-of-zero", `\`weight: ${String(entry.weight)}\` counts as 1, as in waza.`, {
            help: "To leave a grader out, remove it; to keep it out of the score, name it in `advisory`.",
            at: source.spanOf([...path, "weight"]),
          }),
        ]
      : []),
    ...(entry.model === undefined
      ? []
      : [
          warning("misplaced-model", "`model` beside `config` is ignored, as in waza.", {
            help: "Move `model` under the grader's `config`.",
            at: source.spanOfKey([...path, "model"]),
          }),
        ]),
    ...(placeholder === undefined
      ? []
      : [
          notice("placeholder", `nothing is filled in for \`${placeholder}\`: the prompt is sent as it is.`, {
            help: "Remove it: the judge is shown the task, the conversation and the answer.",
            at: source.spanOf([...path, "config", "prompt"]),
          }),
        ]),
  ];
}

/** The effort level under a key. An unknown level is ignored, with a warning among the problems. */
export function readEffort(
  key: string,
  value: string | undefined,
  { at, problems }: { readonly at: SourceSpan; readonly problems: Problem[] },
): string | undefined {
  const effort = effortOf(value);
  if (effort !== "unknown") return effort;
  problems.push(problem("unknownEffort", at, key, (value ?? "").slice(0, 60), listedCode(EFFORTS)));
  return undefined;
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** waza's levels; OpenAI alone has `none` and `minimal`. */
function effortOf(value: string | undefined): string | undefined {
  const level = value?.trim().toLowerCase();
  if (!level || level === "auto") return undefined;
  return [...EFFORTS, "none", "minimal"].includes(level) ? level : "unknown";
}

const HOLD_PROMPT = ["config", "prompt", "rubric"];

/** Adds the problem of a missing prompt, which names a misspelled or misplaced key; that key is then not listed as unknown. */
function noteMissingPrompt(
  source: YamlSource,
  { name, path }: { readonly name: string; readonly path: Path },
  list: GraderList,
): void {
  const message = `the prompt grader \`${name}\` has no \`prompt\``;
  const own = `${dotted(path)}.`;
  const index = list.unknown.findIndex(
    (key) =>
      key.name === `${own}prompt` || (key.name.startsWith(own) && HOLD_PROMPT.includes(key.meant ?? "")),
  );
  const [wrong] = index < 0 ? [] : list.unknown.splice(index, 1);
  if (!wrong) {
    const help = "Add `prompt:` under its `config:`, with the instructions for the judge, or `rubric:`.";
    list.problems.push(error("grader-without-prompt", `${message}.`, { help, at: source.spanOf(path) }));
    return;
  }
  list.problems.push(meantFor(message, { ...wrong, meant: wrong.meant ?? "config.prompt" }));
}

export function setModel(model: string | undefined): string | undefined {
  return isSet(model) ? model : undefined;
}

/** False for waza's `auto`, which means not set. */
export function isSet(model: string | undefined): model is string {
  return typeof model === "string" && model.trim() !== "" && model.trim() !== "auto";
}

/** A grader of another type. A type that looks like a misspelled `prompt` is an error, or the grader would silently vanish. */
function readOtherGrader(source: YamlSource, { entry, index }: ListedGrader, list: GraderList): OtherGrader {
  const name = entry.name || `graders[${String(index)}]`;
  const type = entry.type ?? "";
  const at = source.spanOf(["graders", index]);
  const typed = type === "" ? "has no `type`" : `is of the type \`${type}\`, which waza does not have`;
  const { problems } = list;
  if (closest(type, ["prompt"]) || (!OTHER_TYPES.has(type) && entry.config?.prompt !== undefined)) {
    const help = "If it is for the judge, write `type: prompt`.";
    problems.push(error("misspelled-prompt-type", `a grader ${typed}.`, { help, at }));
  } else if (REMOVED_TYPES.has(type)) {
    const message = `a grader is of the type \`${type}\`, which waza no longer has; it is ignored.`;
    problems.push(notice("removed-grader-type", message, { at }));
  } else if (!OTHER_TYPES.has(type) && !entry.ref) {
    const meant = closest(type, OTHER_TYPES);
    const help = meant === undefined ? "Use one of waza's types." : `Did you mean \`${meant}\`?`;
    problems.push(warning("unknown-grader-type", `a grader ${typed}; it is left out.`, { help, at }));
  }
  return { name, type };
}

function isPromptGrader(grader: Grader | OtherGrader): grader is Grader {
  return "prompt" in grader;
}

/** The notice that the graders at a path are not run: results hold only the end of a run. */
export function checkpointNotice(
  source: YamlSource,
  path: readonly PropertyKey[],
  checkpoints: unknown,
): Problem[] {
  if (!Array.isArray(checkpoints) || checkpoints.length === 0) return [];
  const at = source.spanOfKey(path);
  const name = path.map(String).join(".");
  const message = `the graders in \`${name}\` are not run: they judge an agent between its turns, which only waza can.`;
  return [notice("checkpoint-graders", message, { at })];
}
