/** Finds the files of agent outputs. */
import type { Problem } from "../domain/location.ts";
import type { Suite } from "../domain/suite.ts";
import { findFiles } from "../files/find.ts";
import { noMatch } from "../files/no-match.ts";
import { layoutOf, namedEvals } from "./layout.ts";
import type { Layout } from "./layout.ts";

const REMEDY = "Run the agent first, and make sure it writes to the path in `results`.";

export interface OutputsRequest {
  /** The `results` input. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  /** Files of formats that record no task are matched by name with the tasks of these suites. */
  readonly suites: readonly Suite[];
  /** Evals of the repository that are not graded here. */
  readonly others?: readonly Suite[] | undefined;
  /** A dry run needs no results: a glob may match nothing. */
  readonly dryRun?: boolean | undefined;
}

interface FoundOutputs {
  readonly files: readonly string[];
  readonly layouts: ReadonlyMap<string, Layout>;
  readonly problems: Problem[];
}

/** The files that the patterns match, with the layout of each. A pattern without a match is a problem. */
export async function findOutputs(request: OutputsRequest): Promise<FoundOutputs> {
  const { patterns, workspace, suites, others = [], dryRun } = request;
  const named = namedEvals(suites, others);
  const layouts = new Map<string, Layout>();
  const problems: Problem[] = [];
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    const files = await findFiles([pattern], workspace);
    for (const file of files)
      if (!layouts.has(file)) layouts.set(file, layoutOf(file, pattern, { workspace, suites, named }));
    const what = "The `results` glob";
    if (files.length === 0 && !dryRun)
      problems.push(await noMatch({ what, pattern, cwd: workspace, workspace, remedy: REMEDY }));
  }
  return { files: await findFiles(patterns, workspace), layouts, problems };
}
