/** The gate's policy and its conclusion. */

/** `noise`, or percentage points. */
export type MaxDrop = "noise" | number;

/** The gate's policy, from the inputs. */
export interface Policy {
  /** The lowest agreement with people's labels, 0 to 1. */
  readonly minAgreement?: number | undefined;
  readonly minScore?: number | undefined;
  readonly failOn: "fail" | "regression" | "score" | "never";
  /** The drop against the baseline that passes: what chance explains (`noise`, the default), or percentage points. */
  readonly maxDrop?: MaxDrop | undefined;
  readonly onError: "fail" | "warn";
  readonly onMissing: "fail" | "warn";
}

/** Success or failure of the whole. */
export interface Conclusion {
  readonly conclusion: "success" | "failure";
  /** Conclusion of the check run: `neutral` when something is red but `fail-on: never` lets it pass. */
  readonly check: "success" | "failure" | "neutral" | "cancelled";
  /** Which rule of the gate decided. */
  readonly rule:
    | "configuration"
    | "cancelled"
    | "dry-run"
    | "min-agreement"
    | "missing"
    | "errored"
    | "golden"
    | "min-score"
    | "regression"
    | "failed-grade"
    | "not-compared"
    | "nothing-to-do"
    | "passed";
  /** True when every planned grade is graded and passed, no matter the policy. */
  readonly passed: boolean;
  /** The verdict in a few words, without the score, for the title of a page. */
  readonly title: string;
  /** Why, where the title does not say it: sentences without their period. */
  readonly details: readonly string[];
  /** The verdict in a few sentences: title, details, and the score. */
  readonly sentence: string;
  /** The root cause or remedy for the final log line; pages have it in another section. */
  readonly cause?: string | undefined;
}
