/** The report as annotations: one for every grade and problem, worst first. Pure. */
import { type Report, cutBytes } from "./report.ts";
import type { Check } from "../domain/grade.ts";
import { type Row, hasVerdict } from "../domain/row.ts";
import type { Problem, RunProblem, SourceSpan } from "../domain/problem.ts";
import { count, formatScore, helpOf, listed, shorten, upperFirst, withLocation } from "../text/format.ts";
import { runProblems } from "../decide/run-problems.ts";
import { UNCOUNTED, checkText, doubtsText, tallyText, errorLine, filePart } from "../text/states.ts";
import { plainText } from "../safety/sanitize.ts";
import { evidenceText } from "./sections/grades.ts";
import { type ShownGrade, failuresFirst, shownGrades } from "./shown-grade.ts";

/** Characters of an answer in an annotation's details. */
const ANNOTATION_EXCERPT = 2_000;
/** https://docs.github.com/en/rest/checks/runs: `message` and `raw_details` of an annotation, 64 KB. */
const ANNOTATION_BYTES = 64_000;
/** Bytes of an annotation's message: fifty of GitHub's most make a request of megabytes, and the page has all. */
const ANNOTATION_MESSAGE_BYTES = 4_000;
/** https://docs.github.com/en/rest/checks/runs: `title` of an annotation, in characters. */
const ANNOTATION_TITLE_CHARACTERS = 255;

export interface Annotation {
  /** Absent when it belongs to no file of the repository. */
  readonly at?: SourceSpan | undefined;
  readonly level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  readonly details?: string | undefined;
}

/** Kinds of problems and grades, worst first: the order of their annotations, and their level on GitHub. */
const KINDS = {
  error: { rank: 0, level: "failure" },
  failed: { rank: 1, level: "failure" },
  errored: { rank: 2, level: "warning" },
  skipped: { rank: 3, level: "warning" },
  missing: { rank: 3, level: "warning" },
  warning: { rank: 4, level: "warning" },
  doubtful: { rank: 5, level: "warning" },
  notice: { rank: 6, level: "notice" },
  passed: { rank: 7, level: "notice" },
} as const;

/** A lazily rendered annotation: of many grades only few are published. */
interface Ranked extends Pick<Annotation, "level"> {
  readonly rank: number;
  readonly make: () => Made;
}

type Made = Omit<Annotation, "level">;

/**
 * Annotations of all problems and grades, worst first, and within a kind in the order of the files. Missing runs share
 * one per suite, and grades without a verdict one per cause. With more than `most`, the last one says how many are left
 * out, and where they are.
 */
export function buildAnnotations(report: Report, most = Infinity): Annotation[] {
  const problems = [...report.problems, ...runProblems(report)].map((problem) => ({
    ...KINDS[problem.level],
    make: () => ofProblem(problem, report.docs),
  }));
  const all = [...problems, ...ofGrades(report)].sort((a, b) => a.rank - b.rank);
  const published = all.length <= most ? all : all.slice(0, most - 1);
  const annotations = published.map(({ level, make }) => withinLimits({ ...make(), level }));
  return published === all ? annotations : [...annotations, restOf(all.slice(most - 1), most)];
}

function ofGrades(report: Report): Ranked[] {
  const grades = shownGrades(report).filter(({ state }) => state !== "missing");
  return [...Map.groupBy(grades, sharedCause).values()].flatMap((group): Ranked[] => {
    const [first] = group as [ShownGrade, ...ShownGrade[]];
    const statements = ofStatements(first);
    if (statements.length > 0) return statements;
    const make = () => (group.length === 1 ? ofGrade(first) : ofCause(first, group));
    return [{ ...KINDS[first.state], make }];
  });
}

/** Annotations of a grade's failed statements, each at the statement's line. */
function ofStatements(shown: ShownGrade): Ranked[] {
  const { state, reasons, grade } = shown;
  const failed = Map.groupBy(
    reasons.filter(({ outcome }) => outcome === "fail"),
    ({ statement }) => statement,
  );
  return [...failed].flatMap(([number, checks]): Ranked[] => {
    const at = grade.statements[(number ?? 0) - 1]?.at;
    if (!at) return [];
    const title = `${shown.name} · statement ${String(number)}`;
    const message = [...checks.map(checkLine), ...incompleteLine(grade)].join("\n");
    const make = () => ({ ...ofGrade(shown), ...(at.inRepository ? { at } : {}), title, message });
    return [{ ...KINDS[state], make }];
  });
}

/** The key of grades that share a cause; a graded one has its own. */
function sharedCause({ grade }: ShownGrade): unknown {
  const { state, error, reason, checks } = grade;
  if (hasVerdict(grade) || checks.length > 0) return grade;
  return JSON.stringify(error ? [error.class, error.message, error.help] : [state, reason]);
}

/** The annotation of a cause of several grades, at the first of them. */
function ofCause(first: ShownGrade, group: readonly ShownGrade[]): Made {
  const { error } = first.grade;
  const cause = error ? { ...first.grade, error: { ...error, file: undefined } } : first.grade;
  const what = error ? `errored (${error.class})` : "skipped";
  const names = listed(
    group.map(({ name, grade }) => (grade.error ? `${name}${filePart(grade.error)}` : name)),
  );
  return {
    at: ofGrade(first).at,
    title: `${count(group.length, "grade")} ${what}`,
    message: `${messageOfGrade({ ...first, grade: cause })}\nThe grades: ${names}`,
  };
}

/** The annotation that counts those left out. */
function restOf(left: readonly Ranked[], most: number): Annotation {
  return {
    level: left[0]?.level ?? "notice",
    title: count(left.length, "more annotation"),
    message: `They are over the limit of ${String(most)}: the page has what they say.`,
  };
}

/** A problem's annotation, which shows its place. With its column, which GitHub accepts only for annotations of one line. */
function ofProblem(problem: Problem | RunProblem, docs: string | undefined): Made {
  const { at, level, message } = problem;
  const help = helpOf(problem, docs);
  const text = at?.inRepository ? upperFirst(message) : withLocation(message, at);
  return {
    ...(at?.inRepository ? { at: { ...at, endLine: at.startLine } } : {}),
    title: "title" in problem ? problem.title : level === "error" ? "Configuration problem" : "waza-grade",
    message: help === undefined ? text : `${text}\n${help}`,
  };
}

function ofGrade(shown: ShownGrade): Made {
  const { answer, at } = shown.grade;
  const output = answer.trim();
  const part = shorten(output, ANNOTATION_EXCERPT);
  const size = part === output ? "" : `\n(${count(output.length, "character")} in all)`;
  return {
    ...(at.inRepository ? { at } : {}),
    title: shown.name,
    message: gradeText(shown),
    details: output === "" ? undefined : `Final output of the agent:\n\n${part}${size}`,
  };
}

/** A grade as plain text of several lines. */
export function gradeText(shown: ShownGrade): string {
  const { rubric } = shown.grade;
  return plainText([messageOfGrade(shown), ...(rubric ? [`Rubric: ${rubric.name}`] : [])].join("\n"));
}

function messageOfGrade({ grade, reasons, before }: ShownGrade): string {
  const { error, note, response, doubt, evidence } = grade;
  if (error) {
    const before = reasons.length === 0 ? [] : [UNCOUNTED, ...reasons.map(checkLine)];
    return [`Errored, not graded: ${errorLine(error)}`, ...before].join("\n");
  }
  if (!hasVerdict(grade)) return `Skipped: ${grade.reason ?? ""}`;
  const lines = [
    `${upperFirst(grade.state)}, score ${formatScore(grade.score)}: ${note ?? `${tallyText(grade)}.`}`,
  ];
  lines.push(...failuresFirst(reasons).map(checkLine));
  if (before !== undefined) lines.push(`${upperFirst(before)}.`);
  if (note !== undefined && response !== undefined) lines.push(`It said: ${shorten(response, 500)}`);
  if (doubt !== undefined) lines.push(doubt);
  if (evidence?.reconstructedSession)
    lines.push("Reconstructed session: the judge got the run's conversation turn by turn.");
  if (evidence?.elided) lines.push(`${upperFirst(evidenceText(evidence))}.`);
  return [...lines, ...incompleteLine(grade)].join("\n");
}

function incompleteLine({ incomplete }: Row): string[] {
  return incomplete ? [`Incomplete, there may be more checks: ${errorLine(incomplete)}`] : [];
}

function checkLine(check: Check): string {
  const doubts = doubtsText(check);
  const text = doubts === undefined ? checkText(check) : `${checkText(check)} (${doubts})`;
  return `${check.outcome === "pass" ? "✓ pass" : "✗ fail"}: ${text}`;
}

function withinLimits(annotation: Annotation): Annotation {
  const title = shorten(plainText(annotation.title).replace(/\s+/g, " ").trim(), ANNOTATION_TITLE_CHARACTERS);
  const message = cutBytes(plainText(annotation.message), ANNOTATION_MESSAGE_BYTES, "… (cut)");
  const details = annotation.details && cutBytes(plainText(annotation.details), ANNOTATION_BYTES);
  return { ...annotation, title, message, details };
}
