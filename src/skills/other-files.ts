/** Recognises files of Agent Skills that a judge cannot grade. */
import { basename } from "node:path";
import type { OtherFormat } from "../waza/other-formats.ts";
import { valueAt } from "../waza/yaml/source.ts";
import { closest } from "../text/suggest.ts";
import { FIELDS } from "./fields.ts";

const LIST_THEM = "Write them as a list under `evals`.";
const NAME_THEM = "Name in `eval` the skill's `evals/evals.json`, whose evals have `assertions`.";

/** The format of a file that is not an evals.json; `evals` is its list of evals, if any. */
export function notEvals(
  data: unknown,
  file: string,
  evals: readonly unknown[] | undefined,
): OtherFormat | undefined {
  const list = evals ?? (Array.isArray(data) ? (data as unknown[]) : []);
  if (list.length > 0 && list.every(isTrigger))
    return {
      what: "holds trigger evals (`should_trigger`): whether an agent loads the skill, which no judge decides.",
      help: NAME_THEM,
    };
  if (evals?.length && evals.every((entry) => isSomethingElse(entry, Array.isArray(data))))
    return { what: "holds a list of something else, not a skill's evals.", help: NAME_THEM };
  if (evals) return undefined;
  const has = (...keys: string[]) => keys.every((key) => valueAt(data, [key]) !== undefined);
  const written = (what: string) => ({
    what: `holds ${what} (what skill-creator writes), not evals.`,
    help: `${NAME_THEM} What the agent produced goes into \`results\`.`,
  });
  if (has("expectations", "summary")) return written("grades, as `grading.json`");
  if (has("run_summary") || has("runs", "metadata")) return written("a comparison, as `benchmark.json`");
  if (basename(file) !== "evals.json" || has("tasks") || has("graders")) return undefined;
  if (data === null || data === undefined) return { what: "is empty.", help: LIST_THEM };
  const meant = typeof data === "object" ? closest("evals", Object.keys(data)) : undefined;
  const asked = meant === undefined ? "" : ` Its key \`${meant}\` should be \`evals\`.`;
  return { what: `has no list of evals.${asked}`, help: LIST_THEM };
}

/** Whether an entry has neither a prompt nor statements; under the key `evals`, one that is no mapping is a mistake. */
function isSomethingElse(entry: unknown, isBareList: boolean): boolean {
  const isMapping = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  const keys = [...FIELDS.prompt, ...FIELDS.statements, ...FIELDS.expected];
  return (isMapping || isBareList) && keys.every((key) => valueAt(entry, [key]) === undefined);
}

function isTrigger(entry: unknown): boolean {
  const has = (key: string) => valueAt(entry, [key]) !== undefined;
  return has("should_trigger") && ![...FIELDS.statements, ...FIELDS.expected].some(has);
}
