// What a provider's prompt cache saves: the share of input tokens that it had, and the time, over shapes of suites.
import { promptCache } from "../__tests__/support/cache-rules.ts";
import { finish, pass, startJudge } from "../__tests__/support/judge-server.ts";
import { project, promptGrader, runFixture } from "../__tests__/support/projects.ts";
import { act } from "./bench-tools.ts";

/** What a suite looks like. */
interface Suite {
  readonly runs: number;
  readonly graders: number;
  /** Of evidence for each run. */
  readonly kilobytes: number;
}

const SUITES: readonly Suite[] = [
  { runs: 20, graders: 2, kilobytes: 20 },
  { runs: 20, graders: 4, kilobytes: 2 },
  { runs: 10, graders: 4, kilobytes: 20 },
  { runs: 20, graders: 4, kilobytes: 20 },
  { runs: 20, graders: 4, kilobytes: 200 },
  { runs: 12, graders: 2, kilobytes: 20 },
  { runs: 20, graders: 8, kilobytes: 20 },
  { runs: 3, graders: 8, kilobytes: 20 },
];

const LATENCY_MS = 500;
const AT_ONCE = 10;
const ROUNDS = 3;

/** A project of runs with evidence of that size, each with different evidence. */
function projectOf({ runs, graders, kilobytes }: Suite): string {
  const tasks = Array.from({ length: runs }, (_, index) => ({ id: `task-${String(index)}` }));
  const line = (index: number) => `What came of task ${String(index)}, told in a line of its own.\n`;
  const outputOf = (index: number) =>
    line(index).repeat(Math.round((kilobytes * 1_000) / line(index).length));
  return project({
    graders: Array.from({ length: graders }, (_, index) =>
      promptGrader(
        `grader-${String(index)}`,
        `Call set_waza_grade_pass if condition ${String(index)} holds.`,
      ),
    ),
    tasks,
    runs: Object.fromEntries(
      tasks.map(({ id }, index) => [id, [runFixture({ final_output: outputOf(index) })]]),
    ),
  });
}

/** Seconds of the action for a suite, and the share of input tokens that the cache had. */
async function measure(suite: Suite): Promise<{ readonly seconds: number; readonly share: number }> {
  const prompts = promptCache();
  const used = { input: 0, cached: 0, asked: 0 };
  const judge = await startJudge(async ({ request }) => {
    const { input, cached, reply } = prompts.ask(request);
    used.input += input;
    used.cached += cached;
    used.asked += 1;
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
    reply();
    return { calls: [pass("holds"), finish], usage: { input, output: 20, cached } };
  });
  const { seconds } = await act(judge, projectOf(suite), { "max-concurrency": String(AT_ONCE) });
  await judge.close();
  if (used.asked !== suite.runs * suite.graders) throw new Error(`${String(used.asked)} requests`);
  return { seconds, share: (100 * used.cached) / used.input };
}

/**
 * Prints, for each suite, the cached share of input tokens and the time; and the time of as many requests of which none
 * waits for another, since each run has one grader. The two take turns.
 */
export async function cache(): Promise<void> {
  console.log("| runs | graders a run | evidence | cached | seconds | without waiting | times |");
  console.log("| ---: | ------------: | -------: | -----: | ------: | --------------: | ----: |");
  for (const suite of SUITES) {
    const { runs, graders, kilobytes } = suite;
    const shares: number[] = [];
    const seconds: number[] = [];
    const free: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured = await measure(suite);
      shares.push(measured.share);
      seconds.push(measured.seconds);
      free.push((await measure({ ...suite, runs: runs * graders, graders: 1 })).seconds);
    }
    const times = median(seconds) / median(free);
    const cells = [`${String(kilobytes)} kB`, `${median(shares).toFixed(0)} %`];
    const figures = [median(seconds).toFixed(1), median(free).toFixed(1), times.toFixed(2)];
    console.log(`| ${[String(runs), String(graders), ...cells, ...figures].join(" | ")} |`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
