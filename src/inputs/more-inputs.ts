/** The input `grade` of the called workflow: further inputs of grading, one a line. */
import { isMap, parseDocument } from "yaml";
import { error, type Problem } from "../domain/problem.ts";
import { closest, didYouMean } from "../text/suggest.ts";

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
    if (REFUSED.includes(name))
      return wrong(
        `has \`${name}\`, which it cannot set`,
        "Keys are secrets of the call; where runs and verdicts lie is the workflow's own.",
      );
    if (known.includes(name)) return [];
    return wrong(`has \`${name}\`, which is no input of grading`, didYouMean(closest(name, known)));
  });
  if (problems.length === 0)
    for (const [name, value] of given) env[`${PREFIX}${name.toUpperCase()}`] = String(value);
  return problems;
}

function noList(): Problem {
  return wrong(
    "is no list of inputs",
    "Write one input a line, as `min-score: 0.8`; several lines of one after `|`.",
  );
}

function wrong(what: string, help: string | undefined): Problem {
  return error("wrong-input", `The input \`grade\` ${what}.`, { help });
}
