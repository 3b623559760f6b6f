/** Finds the files of agent outputs. */
import type { Problem } from "../domain/location.ts";
import type { Suite } from "../domain/suite.ts";
import { findFiles } from "../files/find.ts";
import { noMatch } from "../files/no-match.ts";
import { foldersBelow, layoutOf, namedEvals } from "./layout.ts";
import type { Layout } from "./layout.ts";

const REMEDY = "Run the agent first, and make sure it writes to the path in `results`.";

export interface OutputsRequest {
  /** The `results` input. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  /** Files of formats that record no task are matched by name with the tasks of these suites. */
  readonly suites: readonly Suite[];
  /** Evals of the repository that are not graded here. */
  readonly others?: (() => Promise<readonly Suite[]>) | undefined;
  /** A dry run needs no results: a glob may match nothing. */
  readonly dryRun?: boolean | undefined;
}

interface FoundOutputs {
  readonly files: readonly string[];
  readonly layouts: ReadonlyMap<string, Layout>;
  /** Evals of the repository that are not graded here; none if no file's folders could name one. */
  readonly others: readonly Suite[];
  readonly problems: Problem[];
}

/** The files that the patterns match, with the layout of each. A pattern without a match is a problem. */
export async function findOutputs(request: OutputsRequest): Promise<FoundOutputs> {
  const { patterns, workspace, suites, dryRun } = request;
  const folders = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    const files = await findFiles([pattern], workspace);
    for (const file of files)
      if (!folders.has(file)) folders.set(file, foldersBelow(file, pattern, workspace));
    const what = "The `results` glob";
    if (files.length === 0 && !dryRun)
      problems.push(await noMatch({ what, pattern, cwd: workspace, workspace, remedy: REMEDY }));
  }
  // To find the other evals takes a search of the repository.
  const mayNameEvals = [...folders.values()].some(({ length }) => length > 0);
  const others = mayNameEvals ? ((await request.others?.()) ?? []) : [];
  const evals = { graded: new Set(suites), named: namedEvals(suites, others) };
  const layouts = new Map([...folders].map(([file, own]) => [file, layoutOf(own, evals)]));
  return { files: await findFiles(patterns, workspace), layouts, others, problems };
}
