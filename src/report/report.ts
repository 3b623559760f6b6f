/** The report, and the publishers that write it. */
import type { Comparison } from "../decide/compare.ts";
import type { Lift } from "../decide/lift.ts";
import type { Triggers } from "../decide/triggers.ts";
import type { Conclusion, Estimate, Policy } from "../domain/grade.ts";
import type { Retired, Scores } from "../domain/row.ts";
import type { ResultsFile } from "../domain/run.ts";
import type { Problem } from "../domain/problem.ts";
import type { Origin, RunContext } from "../github/context.ts";
import type { Agreement } from "../labels/agreement.ts";
import { oneLineText } from "../safety/sanitize.ts";
import { jsonOf, messageOf } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";

/** Maximum characters of the matrix values in a name. */
const LONGEST_MATRIX_VALUES = 100;

export interface Publisher {
  readonly name: string;
  /** The file that an input names, and that it writes. */
  readonly file?: string | undefined;
  /** Publishes nothing of a first look that a second one follows: where that is cancelled, it would stay for ever. */
  readonly onlyVerdicts?: true;
  /** Publishes; may throw, which fails this publisher alone. `before` is what earlier publishers published. */
  readonly publish: (report: Report, before: Published) => Promise<Published>;
}

/** Everything the publishers publish. Text in it is untrusted: each medium escapes its own. */
export interface Report {
  readonly conclusion: Conclusion;
  /** What fell and was accepted, for which older results of the baseline count no more; empty on a pull request. */
  readonly accepted: readonly Retired[];
  readonly scores: Scores;
  /** The advisory graders, which no other figure includes; absent without any. */
  readonly advisory?: Pick<Report, "scores"> | undefined;
  /** Against the baseline; absent where none was asked for, or nothing was graded. */
  readonly comparison?: Comparison | undefined;
  /** Scores of runs without the skill, which no other figure includes; absent without any. */
  readonly without?: Scores | undefined;
  /** With the skill and without it; absent without the input `lift`, or runs of both. */
  readonly lift?: Lift | undefined;
  /** Against people's labels; absent without the input `labels`. */
  readonly agreement?: Agreement | undefined;
  readonly problems: readonly Problem[];
  readonly results: readonly (Pick<ResultsFile, "path" | "model" | "timestamp"> &
    Partial<Pick<ResultsFile, "runs">>)[];
  /** The queries of trigger evals, which no other figure includes; absent without any. */
  readonly triggers?: Triggers | undefined;
  /** What was asked for; absent in a report that is compared with nothing later. */
  readonly scope?: Scope | undefined;
  readonly policy: Policy;
  /** When the run began and ended, in milliseconds since 1970. */
  readonly time: { readonly started: number; readonly finished: number };
  /** Texts that secrets were taken out of; 0 when there were none. */
  readonly redactions: number;
  /** Of a dry run, which asks no judge. */
  readonly estimate?: Estimate | undefined;
  /** `https://host/owner/repo/blob/<sha>`, for links to graders; absent outside GitHub. */
  readonly sourceUrl?: string | undefined;
  /** The commit and the run that it is of, with their pages; absent outside GitHub. */
  readonly origin?: Origin | undefined;
  /**
   * The judge that the inputs name, to ask it again: its address, unless that is OpenAI's, its model, and the variable that
   * usually holds its key, in place of OPENAI_API_KEY. Absent in a record.
   */
  readonly judge?: Readonly<Partial<Record<"baseUrl" | "model" | "key", string | undefined>>> | undefined;
  /** Address of this action's docs, at the version in use; absent in a record without it. */
  readonly docs?: string | undefined;
  /** The list of what is asked again, as JSON; absent where no further run would change the result. */
  readonly again?: string | undefined;
  /** The HTML report as the input `reports` names it: pages that leave something out name it. */
  readonly htmlFile?: string | undefined;
}

/** What a run was asked to grade: a baseline is compared with that alone. */
export interface Scope {
  /** The input `tasks`. */
  readonly tasks: readonly string[];
  /** The input `advisory`. */
  readonly advisory: readonly string[];
  /** Keys of the suites that `changed-only` leaves out. */
  readonly unchanged: readonly string[];
  /** Tasks that `run` was not to run, as keys. */
  readonly left?: readonly string[] | undefined;
}

/** Grades, and what they are compared with. */
export type Compared = Pick<Report, "scores" | "comparison">;

/** Links and paths of what was published, for later publishers. */
export interface Published {
  readonly checkRunUrl?: string | undefined;
  readonly commentUrl?: string | undefined;
  readonly resultsFile?: string | undefined;
  /** The folder with the copies for waza. */
  readonly wazaFolder?: string | undefined;
  readonly reportFiles?: readonly string[] | undefined;
  /** Files that inputs name, and that could not be written. */
  readonly unwritten?: readonly string[] | undefined;
}

/** Runs several groups of publishers in parallel; publishers within a group run in sequence. */
export function atOnce(rows: readonly (readonly Publisher[])[], warn: (message: string) => void): Publisher {
  return {
    name: "report",
    publish: async (report) => {
      const published = await Promise.all(rows.map((row) => publishAll(row, report, warn)));
      return Object.assign({}, ...published) as Published;
    },
  };
}

/** Publishes to every publisher in order; a failure is passed to `warn`, and the others still publish. */
export async function publishAll(
  publishers: readonly Publisher[],
  report: Report,
  warn: (message: string) => void,
): Promise<Published> {
  let published: Published = {};
  for (const publisher of publishers) {
    if (publisher.onlyVerdicts && report.conclusion.check === "pending") continue;
    try {
      published = { ...published, ...(await publisher.publish(report, published)) };
    } catch (error) {
      warn(`The ${publisher.name} could not be published: ${messageOf(error)}`);
      if (publisher.file !== undefined)
        published = { ...published, unwritten: [...(published.unwritten ?? []), publisher.file] };
    }
  }
  return published;
}

type Named = Readonly<Record<"checkName" | "matrix", string>>;

export interface Use {
  /** The check run's name: `waza-grade`, or `waza-grade (ubuntu-latest, 20)` in a matrix job. */
  readonly name: string;
  /** The same for every run of the workflow. */
  readonly key: string;
}

/** The instance of a workflow's job and check name; `matrix` is the JSON of the matrix job's values. */
export function useOf({ job, checkName, matrix }: Pick<RunContext, "job"> & Named): Use {
  const parts = JSON.stringify([job.workflow, job.job, matrix, checkName]);
  const values = oneLineText(valuesOf(matrix).join(", "), LONGEST_MATRIX_VALUES);
  return {
    name: values === "" ? checkName : `${checkName} (${values})`,
    key: sha256(parts).slice(0, 32),
  };
}

/** The values of a matrix job, as in GitHub's job names; text that is not JSON is one value. */
function valuesOf(matrix: string): string[] {
  const values = jsonOf(matrix);
  if (values === undefined) return [matrix];
  return Object.values(values ?? {}).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

/** The text in at most `limit` bytes of UTF-8, ending in `note` when it was cut; never half a character. */
export function cutBytes(text: string, limit: number, note = "…"): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = new Uint8Array(Math.max(0, limit - Buffer.byteLength(note)));
  const { read } = new TextEncoder().encodeInto(text, room);
  return `${text.slice(0, read)}${note}`;
}
