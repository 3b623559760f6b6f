/** Reads the input `labels`. */
import { follow } from "../files/confine.ts";
import type { Problem } from "../domain/location.ts";
import { notFollowed, readTextOrProblem } from "../files/read.ts";
import { publishedPath } from "../files/names.ts";
import { count } from "../text/format.ts";
import { notice } from "../text/problem.ts";
import { parseLabels } from "./labels.ts";
import type { Label } from "./labels.ts";

export interface PeoplesLabels {
  readonly labels: readonly Label[];
  /** The file's real path; empty if it was refused. */
  readonly paths: readonly string[];
  readonly problems: Problem[];
}

/** Maximum bytes of a labels file: thousands of labels with their answers. */
const MOST_LABELS_BYTES = 50e6;

const FILL_IN = "`reports: labels=labels.csv` writes one to fill in.";

/** Reads the file (an absolute path); rows without a verdict are counted in a notice. */
export async function readLabels(file: string, workspace: string): Promise<PeoplesLabels> {
  const refused = notFollowed(file, workspace);
  if (refused) return { labels: [], paths: [], problems: [refused] };
  const paths = [follow(file).real];
  const text = await readTextOrProblem(file, workspace, MOST_LABELS_BYTES);
  if (typeof text !== "string")
    return { labels: [], paths, problems: [{ ...text, help: text.help ?? FILL_IN }] };
  const where = publishedPath(file, workspace);
  const { labels, problems, unfilled } = parseLabels(text, where);
  const empty = `${count(unfilled, "row")} of \`${where.path}\` ${unfilled === 1 ? "has" : "have"} no label yet: \`passed\` is empty.`;
  return { labels, paths, problems: [...problems, ...(unfilled > 0 ? [notice(empty)] : [])] };
}
