// Holds rubrics against a real judge: grades every golden through the judging code of the action, and prints what was
// expected and what it said. `npm run rubrics -- --base-url https://… --model … [rubric or file …]`; the key of the
// endpoint is read from OPENAI_API_KEY. Exit status 1 when a verdict differs or is missing.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DEFAULT_JUDGE } from "../src/domain/grade.ts";
import type { Grade, GradingJob } from "../src/domain/grade.ts";
import type { SourceSpan } from "../src/domain/suite.ts";
import { count } from "../src/text/format.ts";
import { gradeJobs } from "../src/judge/grade.ts";
import { openaiJudge } from "../src/judge/conversation.ts";
import { closest } from "../src/text/suggest.ts";
import { parseRubric } from "../src/evals/rubrics.ts";
import type { RubricFile, RubricGolden } from "../src/evals/rubrics.ts";
import { BUILT_IN_RUBRICS, readBuiltIn } from "../src/evals/rubrics.ts";
import { goldenRun } from "./golden-run.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "base-url": { type: "string", default: process.env.OPENAI_BASE_URL || "https://api.openai.com/v1" },
    model: { type: "string", default: DEFAULT_JUDGE.model },
    "max-concurrency": { type: "string", default: "4" },
    timeout: { type: "string", default: "120" },
  },
});

interface Example {
  readonly rubric: RubricFile;
  readonly golden: RubricGolden;
}

function load(reference: string): RubricFile {
  const builtIn = BUILT_IN_RUBRICS.find((name) => name === reference);
  if (builtIn !== undefined) return readBuiltIn(builtIn);
  if (!existsSync(reference)) throw new Error(noRubric(reference));
  const rubric = parseRubric(readFileSync(reference, "utf8"));
  if ("wrong" in rubric) throw new Error(`${reference} is no rubric: ${rubric.wrong}`);
  if (rubric.goldens.length === 0) throw new Error(`${reference} has no goldens to check it by`);
  return rubric;
}

function noRubric(reference: string): string {
  const meant = closest(reference, BUILT_IN_RUBRICS);
  const help = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return `"${reference}" is neither a file nor a built-in rubric.${help} Built in are ${BUILT_IN_RUBRICS.join(", ")}.`;
}

const AT: SourceSpan = { path: "", startLine: 1, endLine: 1, inRepository: false };

function jobOf({ rubric, golden }: Example): GradingJob {
  const suite = { title: rubric.name, at: AT, graders: [], otherGraders: [], broken: false } as const;
  return {
    suite: { ...suite, tasks: "every" },
    task: { id: golden.name, name: golden.name },
    grader: { name: rubric.name, weight: 1, prompt: "", rubric: { ...rubric, source: rubric.name }, at: AT },
    judgeModel: values.model,
    run: goldenRun(golden),
  };
}

function verdictOf({ verdict }: Grade): string {
  if (verdict.state === "graded") return verdict.passed ? "pass" : "fail";
  return verdict.state;
}

/** Why, of a verdict that was not the expected one. */
function reasonOf({ verdict }: Grade): string {
  if (verdict.state === "errored") return `${verdict.error.class}: ${verdict.error.message}`;
  if (verdict.state === "skipped") return verdict.reason;
  const reasons = verdict.checks.map(({ outcome, reason }) => `${outcome}: ${reason ?? "no reason given"}`);
  return [verdict.note ?? [], ...reasons].flat().join(" | ");
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join("  ").trimEnd());
  }
}

try {
  const rubrics = (positionals.length > 0 ? positionals : BUILT_IN_RUBRICS).map(load);
  const examples = rubrics.flatMap((rubric) => rubric.goldens.map((golden) => ({ rubric, golden })));
  const key = process.env.OPENAI_API_KEY;
  const endpoint = { baseUrl: values["base-url"], ...(key ? { apiKey: key } : {}) };
  const grades = await gradeJobs(examples.map(jobOf), {
    judge: openaiJudge({
      endpointOf: () => endpoint,
      maxConcurrency: Math.max(1, Number(values["max-concurrency"]) || 1),
      redact: String,
    }),
    maxConcurrency: Math.max(1, Number(values["max-concurrency"]) || 1),
    timeoutMs: (Number(values.timeout) || 120) * 1000,
    redact: (text) => text,
  });
  const rows = examples.map(({ rubric, golden }, index) => {
    const grade = grades[index]!;
    const got = verdictOf(grade);
    const differs = got !== golden.expected;
    return { differs, cells: [`${rubric.name} ${rubric.version}`, golden.name, golden.expected, got], grade };
  });
  printTable([
    ["rubric", "golden", "expected", "got"],
    ...rows.map(({ cells, differs }) => [...cells, ...(differs ? ["<-- differs"] : [])]),
  ]);
  const differing = rows.filter(({ differs }) => differs);
  for (const { cells, grade } of differing) console.log(`\n${cells[1] ?? ""}: ${reasonOf(grade)}`);
  console.log(
    `\n${values.model}: ${String(rows.length - differing.length)} of ${count(rows.length, "golden")} as expected.`,
  );
  process.exitCode = differing.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
