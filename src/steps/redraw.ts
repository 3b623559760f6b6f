/** The command `report`: draws the pages of a record again. Nothing is graded. */
import { resolve } from "node:path";
import { error, isError, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { lookUp } from "../files/confine.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type PeoplesLabels, readLabels } from "../labels/labels.ts";
import { readContent } from "../outputs/content.ts";
import { type Recorded, comparisonFields, readRecord } from "../report/record.ts";
import { type Redactor, redactAll } from "../safety/redact.ts";
import type { Report } from "../report/report.ts";
import { type Baseline, readBaseline } from "../results/read-baseline.ts";
import { compareAll } from "./compare.ts";
import { findUnwritable } from "./plan.ts";
import { type Dependencies, publish } from "./publish.ts";

/**
 * Publishes the report of the record that the input `results` names, with its conclusion as it was, compared with
 * `baseline` and `labels` where these are given. Resolves with false, and draws nothing, if any of them is wrong.
 */
export async function redraw({
  inputs,
  inputProblems,
  ...dependencies
}: Pick<Dependencies, "inputs" | "inputProblems" | "redact" | "publishers" | "log">): Promise<boolean> {
  const { log, redact } = dependencies;
  const { report, paths, problems } = await readAgain(inputs, redact);
  const unwritable = findUnwritable(inputs, { files: [], paths });
  const all = [...inputProblems, ...unseen(inputs), ...unwritable.values(), ...problems];
  for (const problem of all) log.problem(problem);
  if (!report || all.some(isError)) return false;
  await publish(report, { files: [], mayWrite: () => true }, dependencies);
  log.line(report.conclusion.sentence);
  return true;
}

/** A table of labels shows people what no record keeps. */
function unseen({ reports }: Inputs): Problem[] {
  if (!reports.some(({ format }) => format === "labels")) return [];
  return [
    error(
      "labels-not-recorded",
      "A table of labels cannot be drawn from a record, which has no conversations.",
      {
        help: "Grade with `--reports labels=labels.csv`.",
      },
    ),
  ];
}

interface ReadAgain {
  readonly report?: Report | undefined;
  /** Real paths of all files that were read. */
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
}

async function readAgain(inputs: Inputs, redact: Redactor): Promise<ReadAgain> {
  const { workspace, results } = inputs;
  const file = lookUp(resolve(workspace, results[0] ?? ""), workspace);
  const content = await readContent(file, false);
  if (!("file" in content)) return { paths: [], problems: [{ ...content, help: THE_RECORD }] };
  const recorded = "data" in content ? readRecord(redactAll(content.data, redact)) : undefined;
  if (!recorded) return { paths: [file.real], problems: [noRecord(file.at)] };
  const [baseline, labels] = [
    inputs.baseline.length > 0 ? await readBaseline(inputs.baseline, workspace) : undefined,
    inputs.labels === undefined ? undefined : await readLabels(inputs.labels, workspace),
  ];
  const report = compared(recorded, redactAll({ baseline, labels }, redact));
  return {
    report,
    paths: [file.real, ...(baseline?.paths ?? []), ...(labels?.paths ?? [])],
    problems: [...(baseline?.problems ?? []), ...(labels?.problems ?? []), ...changed(recorded, report)],
  };
}

const THE_RECORD = "Name the file of `output-file`, not the results of the agent or a copy for waza.";

function noRecord(at: SourceSpan): Problem {
  return error("not-a-record", "the file is no record of a run by this version.", {
    help: THE_RECORD,
    at,
  });
}

function compared(
  { report }: Recorded,
  {
    baseline,
    labels,
  }: { readonly baseline?: Baseline | undefined; readonly labels?: PeoplesLabels | undefined },
): Report {
  const { scores, advisory, scope, origin } = report;
  const again = compareAll(
    { scores, advisory: advisory?.scores },
    {
      baseline: baseline?.rows,
      baselineSource: baseline?.source ?? {},
      labels,
      suites: scores.suites.map(({ suite, tasks }) => ({
        ...suite,
        tasks: tasks.map(({ taskId, grades }) => ({ id: taskId, name: grades[0]?.title ?? taskId })),
      })),
      context: { branch: origin?.branch, isTag: false },
    },
    scope,
  );
  return { ...report, ...again };
}

/** The fields of a comparison that are equal where the baseline is the same. */
const SAME = ["branch", "score", "p_fall", "newly_failing", "newly_passing", "still_failing", "removed"];

/** What the conclusion rested on and these pages lack. */
function changed({ comparison }: Recorded, report: Report): Problem[] {
  if (comparison === undefined) return [];
  if (!report.comparison)
    return [
      warning("baseline-not-recorded", "The run was compared with a baseline, which is not in its record.", {
        help: "Name it with `--baseline` to see both sides.",
      }),
    ];
  const again = comparisonFields(report.comparison);
  if (SAME.every((name) => JSON.stringify(again[name]) === JSON.stringify(comparison[name]))) return [];
  return [
    warning(
      "other-baseline",
      "The run was compared with another baseline than this one: its conclusion stays as it was.",
    ),
  ];
}
