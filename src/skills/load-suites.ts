/** Loads eval files of waza and of Agent Skills as suites. */
import { resolve } from "node:path";
import type { Problem } from "../domain/location.ts";
import type { Suite } from "../domain/suite.ts";
import { wholeFile } from "../files/names.ts";
import { notFollowed } from "../files/read.ts";
import { error } from "../text/problem.ts";
import { findEvalFiles } from "../waza/eval-files.ts";
import { evalLocation } from "../waza/eval-location.ts";
import type { EvalLocation } from "../waza/eval-location.ts";
import { brokenSuite, foreign, loadSuite } from "../waza/load-suite.ts";
import type { LoadedSuite } from "../waza/load-suite.ts";
import { otherFormat } from "../waza/other-formats.ts";
import { projectConfigs } from "../waza/project-config.ts";
import type { ProjectConfigs } from "../waza/project-config.ts";
import { readYaml } from "../waza/yaml/source.ts";
import { evalsIn, loadSkill } from "./load-skill.ts";
import { notEvals } from "./other-files.ts";

/**
 * Loads every eval file that the patterns match, with its tasks, and returns the problems of all files. A suite with an
 * error is `broken`, so that the others can still be graded. `paths` are the real paths of the files and of all files
 * that they name.
 */
export async function loadSuites(
  input: readonly string[] | undefined,
  workspace: string,
): Promise<{ suites: Suite[]; paths: string[]; problems: Problem[] }> {
  const configs = projectConfigs();
  const { files, patterns, problems } = await findEvalFiles(input, workspace, configs);
  const named = new Set(patterns.map((pattern) => resolve(workspace, pattern)));
  const locations = files.map((file) => evalLocation(file, workspace));
  const loaded = await Promise.all(
    locations.map((location) => loadFile(location, { configs, named: named.has(location.file) })),
  );
  const suites = toldApart(loaded.flatMap(({ suite }) => suite ?? []));
  return {
    suites,
    paths: locations.flatMap((location) => [...location.named]),
    problems: [
      ...problems,
      ...(await configs.problems()),
      ...loaded.flatMap((one) => one.problems),
      ...(files.length > 0 ? nothingLeft(suites) : []),
    ],
  };
}

interface Loading {
  readonly configs: ProjectConfigs;
  /** True when the input names this file itself, not through a wildcard. */
  readonly named: boolean;
}

/** The content decides the format: `eval` may name any file. */
async function loadFile(location: EvalLocation, { configs, named }: Loading): Promise<LoadedSuite> {
  const at = wholeFile(location.file, location.workspace);
  const broken = (problem: Problem) => ({ suite: brokenSuite(at), problems: [problem] });
  const refused = notFollowed(location.file, location.workspace);
  if (refused) return broken(refused);
  const source = await readYaml(location.file, location.workspace);
  if (!("data" in source)) return broken(source);
  const skill = evalsIn(source.data, location.file);
  const other =
    notEvals(source.data, location.file, skill?.evals) ?? (skill ? undefined : otherFormat(source.data));
  if (other) return foreign(other, at, named);
  const load = skill ? loadSkill : loadSuite;
  return await load(source, location, { config: await configs.near(location), named });
}

/** The suites, with the file in the key of those that share a title. */
function toldApart(suites: readonly Suite[]): Suite[] {
  const titles = Map.groupBy(suites, ({ title }) => title);
  return suites.map((suite) =>
    (titles.get(suite.title) ?? []).length > 1
      ? { ...suite, key: `${suite.title} (${suite.at.path})` }
      : suite,
  );
}

function nothingLeft(suites: readonly Suite[]): Problem[] {
  if (suites.length > 0) return [];
  const help = "Point `eval` at a waza eval file, or at the `evals.json` of a skill.";
  return [
    error(
      "No eval was found: none of the files that the input `eval` matches (without it, every `eval.yaml` and `evals/evals.json`) is one.",
      { help },
    ),
  ];
}
