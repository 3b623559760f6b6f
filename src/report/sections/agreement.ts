/** Is the judge right? Its verdicts against people's labels. Pure. */
import { isJudged } from "../../domain/record.ts";
import { count, formatScore, shorten } from "../../text/format.ts";
import { agreementSentence, hasLabels } from "../../labels/agreement.ts";
import type { AgreementFigures, GraderAgreement, Named, Rate } from "../../labels/agreement.ts";
import type { Labelled } from "../../labels/label-match.ts";
import { andMore, bold, BREAK, heading, line, list, name, note, title } from "../document/tree.ts";
import type { Block, Inline, Line } from "../document/tree.ts";
import type { Section } from "./section.ts";

const NAME = 300;
/** Maximum disagreements listed. */
const DISAGREEMENTS = 100;
/** Graders with a row of their own. */
const GRADERS = 50;

const HEADS = [
  "Grader",
  "agrees on passed (TPR)",
  "agrees on failed (TNR)",
  "κ",
  "both pass",
  "judge pass, person fail",
  "judge fail, person pass",
  "both fail",
];
const LEGEND =
  "Agrees on passed: of what people passed, the share that the judge passed, too (true pass rate, TPR); on failed: of what people failed, the share that it failed (true fail rate, TNR). Each has its 95 % interval (Wilson), once there are 5 labels of that verdict. κ: agreement beyond chance.";

/** A row for all and for each grader, then where judge and person differ, and labels of grades without a verdict; empty without labels. */
export const agreementSection: Section = ({ agreement }, page) => {
  if (!agreement || !hasLabels(agreement)) return [];
  const { graders, disagreements, uncounted } = agreement;
  const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
  const nameOf = ({ suite, grader, advisory }: GraderAgreement): Line => [
    name(suites ? `${grader} · ${suite}` : grader, NAME),
    advisory ? " (advisory, not in all)" : "",
  ];
  const more = andMore(graders.length - GRADERS);
  const most = Math.min(page.most, DISAGREEMENTS);
  const listOf = (head: Line, some: readonly Labelled<Named>[]): Block[] =>
    some.length === 0
      ? []
      : [
          title(...head),
          ...list(
            some.map((one) => difference(one, page.reason)),
            most,
          ),
        ];
  return [
    heading("Is the judge right?"),
    line(agreementSentence(agreement)),
    {
      kind: "table",
      heads: HEADS.map((head) => [head]),
      align: ["left", "left", "left", "right", "right", "right", "right", "right"],
      rows: [
        [[bold("all")], ...figureCells(agreement)],
        ...graders.slice(0, GRADERS).map((one) => [nameOf(one), ...figureCells(one)]),
        ...(more === "" ? [] : [HEADS.map((_head, index): Line => (index === 0 ? [more] : []))]),
      ],
    },
    note(LEGEND),
    ...listOf([count(disagreements.length, "disagreement")], disagreements),
    ...listOf(
      [`${count(uncounted.length, "label")} of grades without a judge's verdict, not counted`],
      uncounted,
    ),
  ];
};

function figureCells({ table: four, tpr, tnr, kappa }: AgreementFigures): Line[] {
  return [
    rate(tpr, four.truePass + four.falseFail),
    rate(tnr, four.trueFail + four.falsePass),
    [kappa === undefined ? "–" : kappa.toFixed(2)],
    ...[four.truePass, four.falsePass, four.falseFail, four.trueFail].map((number) => [String(number)]),
  ];
}

function rate(figures: Rate | undefined, labels: number): Line {
  if (!figures) return [`– (${count(labels, "label")})`];
  const { value, agreed, lower, upper } = figures;
  return [
    bold(formatScore(value)),
    ` (${String(agreed)} of ${String(labels)}; ${lower.toFixed(2)} to ${upper.toFixed(2)})`,
  ];
}

/** Both sides with their reasons; of a grade without a verdict what became of it. */
function difference({ label, grade }: Labelled<Named>, longest: number): Line {
  const state = grade.state === "graded" ? "the agent never got to work" : grade.state;
  const because = (text: string | undefined): Inline[] => (text ? [": ", shorten(text, longest)] : []);
  return [
    bold(name(grade.name, NAME)),
    ...(isJudged(grade) ? [BREAK, `the judge: ${verdictText(grade.passed)}`] : [` · ${state}`]),
    ...because(grade.reason),
    BREAK,
    `the person: ${verdictText(label.passed)}`,
    ...because(label.note),
  ];
}

function verdictText(passed: boolean): string {
  return passed ? "✅ passed" : "❌ failed";
}
