/** The input `grade` of the called workflow: further inputs of grading, one a line. */
import { isMap, parseDocument } from "yaml";
import { error, type Problem } from "../domain/problem.ts";
import { listedCode } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Keys, which are secrets, and what the jobs of the workflow hand on to each other. */
const REFUSED = [
  ...["api-key", "token", "matrix", "grade"],
  ...["results", "cache-dir", "output-file", "second-look", "dry-run", "timeout-minutes"],
];

const PREFIX = "INPUT_";

/** Sets these inputs in an environment in which a runner has set all that there are. */
export function setMoreInputs(env: NodeJS.ProcessEnv): Problem[] {
  const text = env[`${PREFIX}GRADE`] ?? "";
  // As texts, so that `0.80` and `on` stay what they are.
  const { errors, contents } = parseDocument(text, { schema: "failsafe" });
  if (errors.length > 0 || (text.trim() !== "" && !isMap(contents))) return [noList()];
  const given = Object.entries(Object(contents?.toJSON()) as Readonly<Record<string, unknown>>);
  const known = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length).toLowerCase());
  const problems = given.flatMap(([name, value]) => {
    if (typeof value !== "string") return noList();
    if (REFUSED.includes(name)) return refused(name);
    return known.includes(name) ? [] : unknown(name, known);
  });
  if (problems.length === 0)
    for (const [name, value] of given) env[`${PREFIX}${name.toUpperCase()}`] = String(value);
  return problems;
}

function noList(): Problem {
  const help = "Write one input a line, as `min-score: 0.8`; several lines of one after `|`.";
  return error("wrong-input", "The input `grade` is no list of inputs.", { help });
}

function refused(name: string): Problem {
  const help = "Keys are secrets of the call; where runs and verdicts lie is the workflow's own.";
  return error("wrong-input", `The input \`grade\` has \`${name}\`, which it cannot set.`, { help });
}

function unknown(name: string, known: readonly string[]): Problem {
  const near = closest(name, known);
  const help = near === undefined ? undefined : `Did you mean ${listedCode([near])}?`;
  return error("wrong-input", `The input \`grade\` has \`${name}\`, which is no input of grading.`, { help });
}
