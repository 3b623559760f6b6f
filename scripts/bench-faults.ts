// 1,000 grades by a judge with faults, seeded: all of them graded, none wrong, and what it costs in time.
import { startGitHub } from "../__tests__/support/github-server.ts";
import { runAction } from "../__tests__/support/run-action.ts";
import type { JudgeSettings } from "./bench-meant.ts";
import { checkVerdicts, manyRuns, spread, startJudgeProcess } from "./bench-tools.ts";
import type { JudgeProcess } from "./bench-tools.ts";

const GRADES = 1_000;
const ROUNDS = 5;
const FAULTS = { 429: 0.05, 500: 0.02, reset: 0.01 };
const QUIET = { latencyMs: 200, answer: "tool" } as const;

interface Graded {
  readonly seconds: number;
  readonly right: number;
  readonly wrong: number;
  readonly met: Readonly<Record<string, number>>;
}

export async function faults(): Promise<void> {
  const judge = await startJudgeProcess();
  const workspace = manyRuns(GRADES);
  const [quiet, faulty, hanging]: [Graded[], Graded[], Graded[]] = [[], [], []];
  try {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      quiet.push(await graded(judge, workspace, { ...QUIET, seed }));
      faulty.push(await graded(judge, workspace, { ...QUIET, seed, faults: FAULTS }));
      hanging.push(
        await graded(judge, workspace, { ...QUIET, seed, faults: { ...FAULTS, hang: 0.01 } }, "15s"),
      );
    }
  } finally {
    await judge.close();
  }
  for (const [name, rounds] of [
    ["without faults", quiet],
    ["5 % 429, 2 % 500, 1 % resets", faulty],
    ["and 1 % hangs, timeout: 15s", hanging],
  ] as const) {
    const ratios = rounds.map(({ seconds }, index) => seconds / (quiet[index]?.seconds ?? NaN));
    console.log(
      `${String(GRADES)} grades, ${name}: right ${rounds.map(({ right }) => String(right)).join(", ")}; wrong or without verdict ${rounds.map(({ wrong }) => String(wrong)).join(", ")}; ` +
        `${spread(
          rounds.map(({ seconds }) => seconds),
          2,
        )} s, ${spread(ratios, 2)} times as long; faults met ${JSON.stringify(rounds[0]?.met)}`,
    );
  }
}

async function graded(
  judge: JudgeProcess,
  workspace: string,
  settings: JudgeSettings,
  timeout?: string,
): Promise<Graded> {
  await judge.set(settings);
  const github = await startGitHub();
  const { durationMs, outputs, log } = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: {
      "base-url": judge.url,
      "max-concurrency": "50",
      "fail-on": "never",
      // GitHub is asked once a second at most: that pause is not what is measured here.
      annotations: "off",
      ...(timeout === undefined ? {} : { timeout }),
    },
  });
  await github.close();
  const file = outputs["results-file"];
  if (file === undefined) throw new Error(log.slice(-2_000));
  const { right, wrong } = checkVerdicts(file);
  if (wrong.length > 0) console.error(wrong.slice(0, 3).join("\n"));
  return { seconds: durationMs / 1_000, right, wrong: wrong.length, met: (await judge.report()).faults };
}
