/** The limits of this room, each with its reason or its source, by the file that uses it. */

// annotations.ts
/** Characters of an answer in an annotation's details. */
export const ANNOTATION_EXCERPT = 2_000;
/** Maximum grades named in the annotation of their cause. */
export const MOST_GRADES_OF_CAUSE = 10;

// document/tree.ts
/** Characters of a name. */
export const LONGEST_NAME = 100;

// html.ts
/** Characters of the readable part of an address. */
export const LONGEST_SLUG = 60;
/** Maximum failed grades expanded at first; of those with the same reason only the first. */
export const MOST_OPEN = 20;
/** Characters of the reason in a grade's line. */
export const LONGEST_LINE_REASON = 200;

// junit.ts
/** Maximum characters of a case's name. */
export const LONGEST_JUNIT_NAME = 300;
/** Maximum characters of a case's message, which is one line. */
export const LONGEST_JUNIT_MESSAGE = 1_000;

// publishers/github.ts
/** Annotations of a check run: more make the pull request's page slow. */
export const MOST_ANNOTATIONS = 200;
/** Annotations of each level that one step may make by workflow commands; the runner drops the rest. */
const JOB_ANNOTATIONS_PER_LEVEL = 10;
/** Maximum annotations per level: one of each is reserved for the step's last line and its notices. */
export const MOST_PER_LEVEL = JOB_ANNOTATIONS_PER_LEVEL - 1;
/** Maximum characters of a title that GitHub shows. */
export const CHECK_TITLE_CHARACTERS = 255;

// report.ts
/** Maximum characters of the matrix values in a name. */
export const LONGEST_MATRIX_VALUES = 100;
/** https://docs.github.com/en/rest/checks/runs: `output.summary`, in bytes. */
export const CHECK_SUMMARY_BYTES = 65_535;
/** https://docs.github.com/en/rest/checks/runs: annotations of one request; more by PATCH, which appends. */
export const ANNOTATIONS_PER_REQUEST = 50;
/** https://docs.github.com/en/rest/checks/runs: `message` and `raw_details` of an annotation, 64 KB. */
export const ANNOTATION_BYTES = 64_000;
/** Bytes of an annotation's message: fifty of GitHub's most make a request of megabytes, and the page has all. */
export const ANNOTATION_MESSAGE_BYTES = 4_000;
/** https://docs.github.com/en/rest/checks/runs: `title` of an annotation, in characters. */
export const ANNOTATION_TITLE_CHARACTERS = 255;
/** GitHub: "body is too long (maximum is 65536 characters)" of a comment. */
export const COMMENT_CHARACTERS = 65_536;
/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits, in bytes. */
export const JOB_SUMMARY_BYTES = 1_048_576;
/** Characters of one workflow command's message that are shown. */
export const JOB_ANNOTATION_CHARACTERS = 4_096;

// results-file.ts
/** Characters of one write. */
export const WRITE_CHARACTERS = 262_144;

// sections/comparison.ts
/** Characters of a comparison's line. */
export const LONGEST_COMPARISON = 3_000;
/** Lines of a list. */
export const MOST_LINES = 50;
/** Lines of a list on a brief page. */
export const MOST_LINES_BRIEF = 5;
/** Characters of a name. */
export const LONGEST_COMPARED_NAME = 300;
/** Characters of an answer. */
export const LONGEST_ANSWER = 400;
/** Characters of a statement. */
export const LONGEST_STATEMENT = 300;
/** Maximum disagreements listed. */
export const MOST_DISAGREEMENTS = 100;
/** Graders with a row of their own. */
export const MOST_GRADERS = 50;
/** Maximum failed grades listed per grader. */
export const MOST_FAILURES = 20;
/** Failed grades listed per grader on a brief page. */
export const MOST_FAILURES_BRIEF = 3;
/** Characters of an advisory grade's reason. */
export const LONGEST_ADVISORY_REASON = 300;

// sections/lift.ts
/** Ids of tasks that a line names. */
export const MOST_IDS = 10;

// sections/estimate.ts
/** Tasks of a suite that are listed. */
export const MOST_TASKS = 200;

// sections/grade.ts
/** Characters of a name with its task, run and model. */
export const LONGEST_GRADE_LABEL = 200;
/** Maximum characters of an excerpt. */
export const GRADE_EXCERPT = 1_500;
/** Failed checks of a grade that are shown. */
export const MOST_CHECKS = 50;
/** Characters of a reason in the line of a folded grade. */
export const FOLDED_REASON = 140;

// sections/why.ts
/** Characters of what a check is called. */
export const LONGEST_CHECK_NAME = 200;
/** Checks with one reason that are named. */
export const MOST_CHECK_NAMES = 3;

// sections/grades.ts
/** Characters of a group's reason. */
export const LONGEST_GROUP_REASON = 300;
/** Grades named in a group. */
export const MOST_GROUP_NAMES = 10;
/** Maximum grades with prompt and answer in a comment. */
export const FEW_IN_COMMENT = 3;
/** Characters of a name with its task, run and model. */
export const LONGEST_GROUP_LABEL = 120;
/** Tasks that are named after a reason that they share. */
export const MOST_TASKS_OF_REASON = 3;
/** Up to so many grades are named without a fold. */
export const FEW_GROUPS = 3;
/** Maximum characters of a validation's feedback. */
export const LONGEST_FEEDBACK = 200;

// sections/page-ends.ts
/** Maximum characters of a title. */
export const LONGEST_TITLE = 500;
/** Suites that are named. */
export const MOST_SUITES = 2;
/** Characters of a suite's name beside others. */
export const LONGEST_SUITE_NAME = 30;
/** Maximum squares in a bar: one line on a phone. */
export const MOST_SQUARES = 16;
/** Maximum judges to name. */
export const MOST_JUDGES = 3;
/** Maximum characters of the verdict's sentence. */
export const LONGEST_VERDICT = 2_000;
/** Characters of an abbreviated commit SHA. */
export const SHORT_SHA = 7;
/** Maximum results files and agent models to name. */
export const MOST_RESULTS_FILES = 3;
/** Characters of a message, and of a path. */
export const LONGEST_MESSAGE = 2_000;

// sections/tasks.ts
/** Models with a column each. */
export const MOST_MODELS = 4;
/** Tasks of a table that are not folded. */
export const MOST_ROWS_UNFOLDED = 20;
/** Tasks of a table that are shown at all. */
export const MOST_ROWS = 1_000;

// summary.ts
/** Maximum entries per section. */
export const MOST_ENTRIES = 500;

/** Characters of an eval's name in the name of its copy for waza: file systems take 255 bytes. */
export const LONGEST_COPY_NAME = 60;
