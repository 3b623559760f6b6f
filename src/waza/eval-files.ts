/** Finds eval files: by the input `eval`, or by the file names of waza and Agent Skills. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../domain/location.ts";
import { findFiles } from "../files/find.ts";
import { noMatch } from "../files/no-match.ts";
import { evalLocation } from "./eval-location.ts";
import { escapeGlob } from "./project-config.ts";
import type { ProjectConfig, ProjectConfigs } from "./project-config.ts";
import { error } from "../text/problem.ts";

/** waza's file name, unless `.waza.yaml` sets another. */
const DEFAULT_NAME = "eval.yaml";

/** The evals of an Agent Skill: agentskills.io, "Evaluating skills". */
const OF_SKILLS = "**/evals/evals.json";

/** Other common names of eval files, for suggestions. */
const ALIKE = [
  "**/eval.yml",
  "**/eval*.{yaml,yml,json}",
  "**/*{.,-,_}eval.{yaml,yml}",
  "**/*Eval.{yaml,yml}",
  "!**/.waza.yaml",
];

/** The files to load, and the patterns that matched them. */
export interface EvalFiles {
  readonly files: readonly string[];
  readonly patterns: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * The files that the input `eval` matches. Without the input, those with the name `files.evalFile` of the workspace's
 * `.waza.yaml`, else `eval.yaml`, and the evals of skills. A pattern without a match is an error: a moved suite must not
 * vanish silently.
 */
export async function findEvalFiles(
  input: readonly string[] | undefined,
  workspace: string,
  configs: ProjectConfigs,
): Promise<EvalFiles> {
  const named = input ? undefined : await evalName(workspace, configs);
  const standard = `**/${escapeGlob(named?.name ?? DEFAULT_NAME)}`;
  const patterns = input ?? [standard, OF_SKILLS];
  const files = await findFiles(patterns, workspace);
  const positive = input ? patterns.filter((pattern) => !pattern.startsWith("!")) : named ? [standard] : [];
  const lost = files.length > 0 ? await matchless(positive, workspace) : input ? positive : [standard];
  const problems =
    lost.length > 0 && isEmpty(workspace)
      ? [emptyWorkspace(workspace)]
      : await Promise.all(
          lost.map((pattern) => unmatched(pattern, workspace, { named, isFirst: !input && !named })),
        );
  return { files, patterns, problems };
}

/** The patterns that match no file. */
async function matchless(patterns: readonly string[], workspace: string): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => findFiles([pattern], workspace)));
  return patterns.filter((_, index) => found[index]?.length === 0);
}

async function evalName(
  workspace: string,
  configs: ProjectConfigs,
): Promise<ProjectConfig["evalFile"] | undefined> {
  const { evalFile } = await configs.near(evalLocation(join(workspace, DEFAULT_NAME), workspace));
  return evalFile;
}

interface Searched {
  readonly named: ProjectConfig["evalFile"] | undefined;
  /** Whether nothing is configured yet. */
  readonly isFirst: boolean;
}

async function unmatched(pattern: string, workspace: string, { named, isFirst }: Searched): Promise<Problem> {
  const others = (await findFiles(ALIKE, workspace)).length > 0;
  const advice = [
    ...(others || existsSync(join(workspace, ".git")) ? [] : [CHECK_OUT]),
    ...(isFirst && !others ? [INIT] : []),
  ];
  const problem = await noMatch({
    what: "The `eval` glob",
    pattern,
    cwd: workspace,
    workspace,
    alike: ALIKE,
    remedy: [NAME_IT, ...advice].join(" "),
  });
  if (!named) return problem;
  const message = `No file matches \`${pattern}\`, which \`files.evalFile\` of \`${named.at.path}\` names.`;
  return { ...problem, message, at: named.at };
}

const NAME_IT =
  "Set `eval` to your eval file; the default is `**/eval.yaml`, or the name in `.waza.yaml`, and `**/evals/evals.json`.";
const INIT = "`init` writes a first eval: docs/command-line.md.";
const CHECK_OUT =
  "If the repository is not checked out, add a step with `uses: actions/checkout` before this one.";

function emptyWorkspace(workspace: string): Problem {
  const message = `There is no eval file to read: the workspace ${workspace} is empty.`;
  return error(message, {
    help: `In a workflow, add a step with \`uses: actions/checkout\` before this one. ${INIT}`,
  });
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}
