// Prints the figures of docs/maintainers/measurements.md, below its marker `gates`: `npm run -s bench -- gates`. docs/gate.md and
// docs/scoring.md state some of them. Seeded, so that they come out the same each time.
import {
  PUSHES,
  asked,
  bothCount,
  decay,
  hasFailed,
  isRed,
  isRedAtLast,
  pullRequest,
  seeded,
  sinceAccepted,
  WRONG,
} from "./simulated-gate.ts";
import type { Cell, Change, Kept, PullRequest } from "./simulated-gate.ts";
import { LEVEL } from "../src/decide/chance.ts";

/** Pull requests a cell. */
const FEW = 500;
const MORE = 800;
const MANY = 20_000;
const MOST = 30_000;
/** The same with a second look, which takes longest; where nothing changed five times as many. */
const LOOKED = 250;
/** After an accepted drop. */
const ACCEPTED = 600;

const TASKS = [3, 5, 8, 12, 20, 40];
const AGENTS = [1.2, 4].flatMap((spread) => [0.5, 0.7, 0.8, 0.9, 0.95].map((agent) => ({ agent, spread })));
const SIZES = TASKS.flatMap((tasks) =>
  [1, 3].flatMap((runs) =>
    [1, 3].flatMap((graders) => [1, 3].map((files) => ({ tasks, runs, graders, files }))),
  ),
);
/** The set-up that `init` writes: two graders, five files of main, `confirm-on-fail: 2`. */
const FIRST = { tasks: 12, runs: 1, graders: 2, files: 5, agent: 0.85, spread: 4, confirm: true };

/** A stream for each cell, so that one unlucky draw is not every cell's. */
let stream = 0;

/** The share of pull requests that a rule is red on. */
function share(cell: Cell, change: Change, draws: number, rule: (made: PullRequest) => boolean): number {
  const random = seeded((stream += 1));
  let red = 0;
  for (let made = 0; made < draws; made += 1) if (rule(pullRequest(cell, change, random))) red += 1;
  return red / draws;
}

function redShare(cell: Cell, change: Change, draws: number): number {
  return share(cell, change, draws, ({ baseline, first }) => isRed(cell, baseline, first));
}

const percent = (rate: number) => (100 * rate).toFixed(1);

function csv(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return ["```csv", heads.join(","), ...rows.map((row) => row.join(",")), "```"].join("\n");
}

const HEADS = ["tasks", "runs", "graders", "files"];
const AGENT_HEADS = AGENTS.map(({ agent, spread }) => `${String(100 * agent)}%/${String(spread)}`);

interface Row {
  readonly size: (typeof SIZES)[number];
  readonly shares: readonly number[];
}

function shares(sizes: typeof SIZES, drop: number): Row[] {
  return sizes.map((size) => ({
    size,
    shares: AGENTS.map((agent) => redShare({ ...size, ...agent }, { points: drop }, FEW)),
  }));
}

function shareTable(rows: readonly Row[]): string {
  return csv(
    [...HEADS, ...AGENT_HEADS],
    rows.map(({ size, shares }) => [...Object.values(size), ...shares.map(percent)]),
  );
}

/** The two worst cells of agents at 80 % and more, drawn again with more pull requests: the largest of chance's is chance. */
function worst(rows: readonly Row[], from: number, graders: readonly number[]): (string | number)[][] {
  return rows
    .filter(({ size }) => size.tasks >= from && graders.includes(size.graders))
    .flatMap(({ size, shares }) =>
      AGENTS.map((agent, at) => ({ cell: { ...size, ...agent }, red: shares[at] ?? 0 })),
    )
    .filter(({ cell }) => cell.agent >= 0.8)
    .sort((a, b) => b.red - a.red)
    .slice(0, 2)
    .map(({ cell }) => [...Object.values(cell), percent(redShare(cell, {}, MOST))]);
}

/** The smallest suites, of agents at 80 %. */
function smallestSuites(): (string | number)[][] {
  return [1, 2].map((tasks) => {
    const cell = { tasks, runs: 1, graders: 1, files: 1, agent: 0.8, spread: 4 };
    return [...Object.values(cell), percent(redShare(cell, {}, MOST))];
  });
}

/** Red on the first attempt, and after a re-run of what was red: by the second attempt alone, and by both. */
function again(cell: Cell, drop: number): string[] {
  const rules: ((made: PullRequest) => boolean)[] = [
    () => true,
    ({ baseline, again }) => isRed(cell, baseline, again()),
    ({ baseline, first, again }) => isRed(cell, baseline, bothCount(first, again())),
  ];
  return rules.map((rule) =>
    percent(
      share(cell, { points: drop }, MANY, (made) => isRed(cell, made.baseline, made.first) && rule(made)),
    ),
  );
}

const AGENTS_OF_POLICIES = [0.85, 0.95, 0.98, 1];

/** How often each policy is red on a pull request that changes nothing, by the agent's pass rate. */
function policies(): string {
  return csv(
    ["agent", "fail 3 x 2", "fail 12 x 2", "regression 3 x 2", "regression 12 x 2"],
    AGENTS_OF_POLICIES.map((agent) => {
      const cells = [3, 12].map((tasks) => ({ ...FIRST, tasks, agent }));
      const failed = cells.map((cell) => share(cell, {}, MANY, ({ first }) => hasFailed(cell, first)));
      return [
        `${String(100 * agent)}%`,
        ...[...failed, ...cells.map((cell) => redShare(cell, {}, MANY))].map(percent),
      ];
    }),
  );
}

function days(): string {
  const sizes = SIZES.filter(
    ({ tasks, runs }) => (tasks === 12 || tasks === 40) && (tasks === 12 || runs === 3),
  );
  return csv(
    [...HEADS, "80%/4", "95%/4"],
    sizes.map((size) => [
      ...Object.values(size),
      ...[0.8, 0.95].map((agent) => percent(redShare({ ...size, agent, spread: 4, day: 0.3 }, {}, 2 * MORE))),
    ]),
  );
}

/** Skills: a list of statements for each eval, by the share of runs that are good or bad for all statements at once. */
const LISTS = [3, 6, 12, 20, 30].flatMap((tasks) =>
  [2, 4, 6].flatMap((statements) =>
    [0, 0.6].flatMap((together) =>
      [0.8, 0.95].map((agent) => ({
        ...{ tasks, runs: 1, graders: 1, statements, together, agent },
        ...{ files: 5, spread: 4, confirm: true },
      })),
    ),
  ),
);
const LIST_HEADS = ["evals", "statements", "together", "agent"];
const CHANGES: readonly (readonly [string, Change])[] = [
  ["unchanged", {}],
  ["-10", { points: 10 }],
  ["-20", { points: 20 }],
  ["a sixth dead", { dead: 1 / 6 }],
  ["one dead", { dead: 1e-9 }],
];

function listSize({ tasks, statements, together, agent }: (typeof LISTS)[number]): (string | number)[] {
  return [tasks, statements, together, `${String(100 * agent)}%`];
}

function skills(): string {
  const rows = LISTS.map((cell) => ({
    cell,
    shares: CHANGES.map(([, change]) => redShare(cell, change, 2 * MORE)),
  }));
  const worstCells = [0, 0.6].flatMap((together) =>
    rows
      .filter(({ cell }) => cell.together === together)
      .sort((a, b) => (b.shares[0] ?? 0) - (a.shares[0] ?? 0))
      .slice(0, 2),
  );
  const all = csv(
    [...LIST_HEADS, ...CHANGES.map(([name]) => name)],
    rows.map(({ cell, shares }) => [...listSize(cell), ...shares.map(percent)]),
  );
  const again = csv(
    [...LIST_HEADS, "red"],
    worstCells.map(({ cell }) => [...listSize(cell), percent(redShare(cell, {}, MOST))]),
  );
  return `${all}

The worst cells of unchanged pull requests, with ${MOST.toLocaleString("en-US")} pull requests each:

${again}`;
}

/** Suites of a second look: tasks x graders, and evals x statements. */
const LOOKED_AT = [
  ["12 x 2", { tasks: 12, graders: 2 }],
  ["15 x 4", { tasks: 15, graders: 1, statements: 4 }],
  ["3 x 4", { tasks: 3, graders: 1, statements: 4 }],
  ["1 x 4", { tasks: 1, graders: 1, statements: 4 }],
  ["12 x 1", { tasks: 12, graders: 1 }],
  ["40 x 1", { tasks: 40, graders: 1 }],
  ["40 x 2", { tasks: 40, graders: 2 }],
  ["40 x 3", { tasks: 40, graders: 3 }],
] as const;
const LOOKS: readonly (readonly [string, Change])[] = [
  ["unchanged", {}],
  ["-10", { points: 10 }],
  ["-20", { points: 20 }],
  ["one dead", { dead: 1e-9 }],
];

interface Look {
  readonly red: number;
  readonly text: string;
  readonly runs: string;
  readonly waiting: string;
}

/** Red with a second look, in brackets without one; the agent's further runs, and how many pull requests wait for some. */
function looked(cell: Cell, change: Change, draws: number): Look {
  let [further, waiting, once] = [0, 0, 0];
  const red = share(cell, change, draws, (made) => {
    if (isRed(cell, made.baseline, made.first)) once += 1;
    const last = isRedAtLast(cell, made);
    further += last.runs;
    if (last.runs > 0) waiting += 1;
    return last.red;
  });
  const text = `${percent(red)} (${percent(once / draws)})`;
  return { red, text, runs: (further / draws).toFixed(1), waiting: percent(waiting / draws) };
}

/** Suites with a second look. */
function secondLooks(): string {
  return lookedAt(LOOKED_AT, [0.5, 0.8, 0.95]);
}

/** Fewer results of main, and the shortest and the longest lists; by streams of its own, so that it can be drawn alone. */
export function gatesFew(): string {
  stream = 100_000;
  const sizes = [
    ["12 x 2, 1 result", { files: 1 }],
    ["12 x 2, 2 results", { files: 2 }],
    ["12 x 2, 3 results", { files: 3 }],
    ["15 x 1, 5 results", { tasks: 15, graders: 1, statements: 1 }],
    ["15 x 8, 5 results", { tasks: 15, graders: 1, statements: 8 }],
  ] as const;
  return `### Few results of main, and other lists, % red

As in "A second look", tasks x graders with fewer results of main, and evals x statements.

${lookedAt(sizes, [0.8, 0.95])}`;
}

function lookedAt(sizes: readonly (readonly [string, Partial<Cell>])[], agents: readonly number[]): string {
  const cells = sizes.flatMap(([name, size]) =>
    agents.map((agent) => ({
      name,
      cell: { ...FIRST, ...size, wrong: WRONG, agent },
    })),
  );
  const rows = cells.map(({ name, cell }) => {
    const found = LOOKS.map(([, change]) =>
      looked(cell, change, (change.points ?? change.dead) ? LOOKED : 5 * LOOKED),
    );
    const of = [name, `${String(100 * cell.agent)}%`];
    return { of, found };
  });
  return csv(
    ["suite", "agent", ...LOOKS.map(([name]) => name), "further runs", "waiting"],
    rows.map(({ of, found }) => [
      ...of,
      ...found.map(({ text }) => text),
      found[0]?.runs ?? "",
      found[0]?.waiting ?? "",
    ]),
  );
}

/** Several suites in one gate, of which the first gets worse. */
function suites(): string {
  const changes: readonly (readonly [string, Change])[] = [
    ["unchanged", {}],
    ["first suite -30", { first: 30 }],
    ["first suite -50", { first: 50 }],
    ["all -20", { points: 20 }],
    ["one dead", { dead: 1e-9 }],
  ];
  const sizes = [
    ["2 of 6 x 2", { tasks: 12, graders: 2, suites: 2 }],
    ["5 of 3 x 4", { tasks: 15, graders: 1, statements: 4, suites: 5 }],
    ["10 of 4 x 2", { tasks: 40, graders: 2, suites: 10 }],
  ] as const;
  return csv(
    ["suites", "agent", ...changes.map(([name]) => name), "further runs", "waiting"],
    sizes.flatMap(([name, size]) =>
      [0.8, 0.95].map((agent) => {
        const cell = { ...FIRST, ...size, wrong: WRONG, agent };
        const found = changes.map(([what, change]) =>
          looked(cell, change, what === "unchanged" ? 5 * LOOKED : LOOKED),
        );
        const texts = found.map(({ text }) => text);
        return [name, `${String(100 * agent)}%`, ...texts, found[0]?.runs ?? "", found[0]?.waiting ?? ""];
      }),
    ),
  );
}

/** Trigger evals: queries of one run or three, no judge. */
function triggers(): string {
  return csv(
    ["queries", "runs", "agent", ...LOOKS.map(([name]) => name), "further runs", "waiting"],
    [2, 5, 10].flatMap((tasks) =>
      [1, 3].flatMap((runs) =>
        [0.8, 0.9, 0.95].map((agent) => {
          const cell = {
            tasks,
            runs,
            graders: 1,
            files: 5,
            agent,
            spread: 4,
            wrong: 0,
            together: 0,
          };
          const found = LOOKS.map(([, change]) => looked(cell, change, 5 * LOOKED));
          const shares = found.map(({ text }) => text);
          return [
            tasks,
            runs,
            `${String(100 * agent)}%`,
            ...shares,
            found[0]?.runs ?? "",
            found[0]?.waiting ?? "",
          ];
        }),
      ),
    ),
  );
}

/** Of a drop that was merged so many pushes ago, with the label: how often a pull request that changes nothing is red. */
function accepted(): string {
  const drops: readonly (readonly [string, Change])[] = [
    ["nothing", {}],
    ["all -10", { points: 10 }],
    ["all -20", { points: 20 }],
    ["one grader of 4 tasks", { deadGraders: 1 / 3 }],
    ["one grader everywhere", { deadGraders: 1 }],
    ["2 tasks dead", { dead: 1 / 6 }],
    ["4 tasks dead", { dead: 1 / 3 }],
  ];
  const rows = [0.8, 0.95, 1].flatMap((agent) =>
    drops.map(([name, change]) => {
      const cell = { ...FIRST, agent, wrong: agent === 1 ? 0 : WRONG };
      const red = [1, 2, 3, 4, 5].map((pushes) =>
        percent(
          share(cell, change, ACCEPTED, ({ baseline, first, again }) => {
            const since = sinceAccepted(cell, baseline, Array.from({ length: pushes }, again));
            return isRedAtLast(cell, { baseline: since, first, again }).red;
          }),
        ),
      );
      return [name, `${String(100 * agent)}%`, ...red];
    }),
  );
  return csv(["accepted", "agent", "1 push ago", "2", "3", "4", "5"], rows);
}

/** What more files, runs, votes and attempts find, and what they cost. */
function money(): string {
  const plain = { ...FIRST, confirm: false };
  const ways: readonly (readonly [string, Cell])[] = [
    ["1 file", { ...plain, files: 1 }],
    ["3 files", { ...plain, files: 3 }],
    ["3 files and 3 votes", { ...plain, files: 3, votes: true }],
    ["3 files and confirmations", { ...FIRST, files: 3 }],
    ["5 files and confirmations", FIRST],
    ["10 files and confirmations", { ...FIRST, files: 10 }],
    ["5 files and confirmations, 2 runs", { ...FIRST, runs: 2 }],
  ];
  return csv(
    ["way", "agent runs", "requests", "unchanged", "-20"],
    ways.map(([name, cell]) => {
      const before = asked.requests;
      const red = redShare(cell, {}, MANY);
      const runs = cell.tasks * cell.runs;
      // The requests for main's files were made by its own pushes.
      const made = cell.tasks * cell.runs * cell.files + runs;
      const requests = ((asked.requests - before) / MANY / made) * runs;
      return [
        name,
        Math.round(runs),
        Math.round(requests),
        percent(red),
        percent(redShare(cell, { points: 20 }, MANY)),
      ];
    }),
  );
}

/** Years of a main, and the pushes that are looked at: those of the last quarter. */
const YEARS = 400;
const QUARTER = PUSHES / 4;

/** How often a push of the last quarter is red where main loses two points a month, and where it does not. */
function decays(): string {
  const ways: readonly (readonly [string, Kept, files: number])[] = [
    ["main's last 5", "last", 5],
    ["the same and one of a release", "both", 5],
    ["1 of a release", "release", 1],
    ["5 of a release", "release", 5],
  ];
  return csv(
    ["baseline", "main gets worse", "main stays"],
    ways.map(([name, kept, files]) => [
      name,
      ...[24 / PUSHES, 0].map((points) => {
        const random = seeded((stream += 1));
        let red = 0;
        for (let year = 0; year < YEARS; year += 1) {
          const pushes = decay({ ...FIRST, files }, points, random);
          red += pushes[kept].slice(-QUARTER).filter(Boolean).length;
        }
        return percent(red / YEARS / QUARTER);
      }),
    ]),
  );
}

/** Prints the figures. */
export function gates(): void {
  const unchanged = shares(SIZES, 0);
  const worstHeads = [...HEADS, "agent", "spread", "red"];
  const drops = [0, 10, 20, 30];
  const attempts = drops.map((drop) => [drop, ...again(FIRST, drop)]);
  const dead = [0, 0.01].map((dead) => [`${String(100 * dead)}%`, ...again({ ...FIRST, runs: 3, dead }, 0)]);
  const small = SIZES.filter(({ tasks }) => tasks <= 12);
  console.log(`### Red where nothing changed, %

${String(FEW)} pull requests per cell. A figure of 5 has a 95 % interval of ± 4 points.

${shareTable(unchanged)}

Of so many figures, the largest are partly chance. So the two largest are simulated again, with ${MOST.toLocaleString("en-US")} pull requests each, for agents at 80 % and more, of suites with at least 3 tasks, and with at least 8 tasks and one or three graders. The first two rows are of 1 and 2 tasks.

${csv(worstHeads, [...smallestSuites(), ...worst(unchanged, 3, [1, 3]), ...worst(unchanged, 8, [1]), ...worst(unchanged, 8, [3])])}

### Drops of 20 points detected, %

${shareTable(shares(SIZES, 20))}

### Drops of 50 points detected, %

${shareTable(shares(small, 50))}

### Skills: lists of statements, % red

Each eval has one grader with a list of statements, each with its chance. In a share of the runs (\`together\`) one draw decides all statements. One run, five files of main, \`confirm-on-fail: 2\`, concentration 4; ${(2 * MORE).toLocaleString("en-US")} pull requests per cell. Of dead evals no statement passes.

${skills()}

### A second look, % red

Tasks x graders, or evals x statements; one run against five files, \`confirm-on-fail: 2\`, concentration 4. What dropped runs twice more, and all runs decide, red from 1 of ${String(Math.round(1 / LEVEL))} on, or where a dead task stays dead; in brackets red without that. ${(5 * LOOKED).toLocaleString("en-US")} pull requests per cell where nothing changed, ${String(LOOKED)} in the others; the judge is wrong in 5 %. Further runs of the agent, and the share of pull requests that wait for them, are of those where nothing changed.

${secondLooks()}

### Several suites, % red

Suites of tasks x graders, or of evals x statements, with a second look, in brackets without one; as above.

${suites()}

### Trigger evals, % red

Queries that load a skill or do not, without a judge; five files of main. With a second look, in brackets without one; ${(5 * LOOKED).toLocaleString("en-US")} pull requests per cell.

${triggers()}

### A drop that main accepted

12 tasks x 2 graders, five files of main. A pull request with the label was merged so many pushes ago, and what fell by that push counts from it on; a pull request changes nothing, and has a second look. The judge is wrong in 5 %, beside an agent of 100 % never. ${ACCEPTED.toLocaleString("en-US")} pull requests per cell.

${accepted()}

### Ways to find more, % red

12 tasks x 2 graders, an agent at 85 %, one run but for the last row; ${MANY.toLocaleString("en-US")} pull requests per cell.

${money()}

### A main that gets worse, % of pushes red

The same suite, ${String(PUSHES)} pushes a year, ${String(YEARS)} years. Main loses two points a month, or none; counted are the pushes of the last quarter. The release is of the year's beginning.

${decays()}

### Policies, % red where nothing changed

Tasks x graders, one run, five files of main, \`confirm-on-fail: 2\`, concentration 4; ${MANY.toLocaleString("en-US")} pull requests per cell, here and in the two tables below.

${policies()}

### Run again, % red

12 tasks x 2 graders, an agent at 85 %. A red pull request is run again once; then the second attempt replaces the first, or the runs of both count.

${csv(["drop", "once", "second replaces first", "both count"], attempts)}

The same with three runs of each task, by the share of dead runs, in which the agent never gets to work: a dead run is red, unless the other attempt replaces it.

${csv(["dead runs", "once", "second replaces first", "both count"], dead)}

### Good and bad days, % red where nothing changed

The agent is better on some days than on others, by a standard deviation of 0.3 logits. A day is drawn for each file of main and for the pull request. ${(2 * MORE).toLocaleString("en-US")} pull requests per cell.

${days()}

${gatesFew()}`);
}
