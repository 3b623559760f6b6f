/** Everything the publishers publish. */
import type { Comparison } from "../compare/compare.ts";
import type { Lift } from "../compare/lift.ts";
import type { Conclusion, Policy } from "../domain/conclusion.ts";
import type { Estimate } from "../domain/estimate.ts";
import type { Problem } from "../domain/location.ts";
import type { ResultsFile } from "../domain/run.ts";
import type { Scores } from "../domain/scores.ts";
import type { Origin } from "../github/links.ts";
import type { Agreement } from "../labels/agreement.ts";

/** Advisory graders: scores of their own, and their change where the baseline has them. */
export interface Advisory {
  readonly scores: Scores;
  readonly comparison?: Comparison | undefined;
}

/** Everything the publishers publish. Text in it is untrusted: each medium escapes its own. */
export interface Report {
  readonly conclusion: Conclusion;
  readonly scores: Scores;
  /** The score of the advisory graders, which no other figure includes; absent without any. */
  readonly advisory?: Advisory | undefined;
  /** Against the baseline; absent where none was asked for, or nothing was graded. */
  readonly comparison?: Comparison | undefined;
  /** With the skill and without it; absent without the input `lift`, or runs of both. */
  readonly lift?: Lift | undefined;
  /** Against people's labels; absent without the input `labels`. */
  readonly agreement?: Agreement | undefined;
  readonly problems: readonly Problem[];
  readonly results: readonly ResultsFile[];
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
  /** The HTML report as the input `reports` names it: pages that leave something out name it. */
  readonly htmlFile?: string | undefined;
}
