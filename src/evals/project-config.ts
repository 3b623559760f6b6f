/** Reads from `.waza.yaml`, a project's defaults, what judging needs. */
import { basename } from "node:path";
import * as z from "zod/mini";
import { warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { PROJECT_CONFIG } from "../domain/suite.ts";
import { setModel } from "./graders.ts";
import { problem } from "./problems.ts";
import { type EvalLocation, confine, nearestFile } from "./eval-paths.ts";
import { TEXT, readWith } from "./schema.ts";
import { unknownKeyProblems } from "./unknown-keys.ts";
import { readSource } from "./source.ts";
import { wholeFile } from "../files/confine.ts";
import { optional } from "../text/optional.ts";
import { once } from "../text/format.ts";
import { escapeGlob } from "../files/find.ts";

/** A common misspelling of the file name, which waza does not read. */
const MISNAMED = ".waza.yml";

/** A glob of task files, relative to the eval file's folder, with its location. */
export interface TaskGlob {
  readonly pattern: string;
  readonly at: SourceSpan;
}

/** The nearest `.waza.yaml`; `broken` if it cannot be read, so that nothing is graded by a guess. */
export interface ProjectConfig {
  /** `defaults.judgeModel`; it comes before the eval's own `config.judge_model`, as in waza. */
  readonly judgeModel?: string | undefined;
  /** `files.evalFile`: the name of this project's eval files, with its location. */
  readonly evalFile?: { readonly name: string; readonly at: SourceSpan } | undefined;
  /** `files.taskGlob`, else `tasks/*` with `files.taskFileSuffix`: task files of evals that name none. */
  readonly tasks?: TaskGlob | undefined;
  readonly broken: boolean;
  readonly problems: readonly Problem[];
}

/** Finds the nearest configuration, from an eval's folder up to the root of its repository, and reads each file once. */
export type ProjectConfigs = (location: EvalLocation) => Promise<ProjectConfig>;

const NONE: ProjectConfig = { broken: false, problems: [] };

const FILE_NAME = TEXT.check(
  z.refine((value) => !/[/\\]|\.\./.test(value), "expected the name of a file, without its folder"),
);

/** Only the keys that are used here; waza itself refuses unknown ones. */
const schema = z.object(
  {
    defaults: optional(z.object({ judgeModel: optional(TEXT) }, "expected a mapping")),
    files: optional(
      z.object(
        { evalFile: optional(FILE_NAME), taskGlob: optional(TEXT), taskFileSuffix: optional(FILE_NAME) },
        "expected a mapping",
      ),
    ),
  },
  "expected a mapping with `defaults` and `files`",
);

/** A lookup with an empty cache; one per load. */
export function projectConfigs(): ProjectConfigs {
  const read = new Map<string, Promise<ProjectConfig>>();
  return async (location) => {
    const file = nearestFile(PROJECT_CONFIG, location) ?? nearestFile(MISNAMED, location);
    return file === undefined ? NONE : await once(read, file, () => readConfig(file, location));
  };
}

async function readConfig(file: string, location: EvalLocation): Promise<ProjectConfig> {
  const broken = (...problems: Problem[]) => ({ broken: true, problems });
  const at = wholeFile(file, location.workspace);
  if (basename(file) === MISNAMED) {
    const message = `the file is not read: waza's project file is called \`${PROJECT_CONFIG}\`.`;
    return { ...NONE, problems: [warning("misnamed-config", message, { help: "Rename it.", at })] };
  }
  if (confine(file, location) === undefined)
    return broken(problem("leaves-repository", at, `the link \`${PROJECT_CONFIG}\``));
  const source = await readSource(file, location.workspace);
  if (!("root" in source)) return broken(source);
  const { root } = source;
  if (root.value === null) return { ...NONE, problems: source.warnings };
  const { data, problems, unknown } = readWith(root, schema);
  const misspellings = unknownKeyProblems(
    "configuration",
    unknown.filter(({ meant }) => meant !== undefined),
  );
  if (!data) return broken(...misspellings, ...problems);
  const { evalFile, taskGlob, taskFileSuffix: suffix } = data.files ?? {};
  const { child } = root.child("files");
  const [pattern, key] = taskGlob
    ? [taskGlob, "taskGlob"]
    : [suffix && `tasks/*${escapeGlob(suffix)}`, "taskFileSuffix"];
  return {
    broken: false,
    judgeModel: setModel(data.defaults?.judgeModel),
    evalFile: evalFile ? { name: evalFile, at: child("evalFile").at } : undefined,
    tasks: pattern ? { pattern, at: child(key).at } : undefined,
    problems: [...source.warnings, ...misspellings],
  };
}
