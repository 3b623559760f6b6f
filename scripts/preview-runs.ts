// The runs whose pages `npm run preview` draws: the bundled action between loopback servers, as a runner starts it.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { fail, pass, startJudge } from "../__tests__/support/judge-server.ts";
import type { Asked, Call, Reply } from "../__tests__/support/judge-server.ts";
import { pullRequestEvent, runAction, writeProject } from "../__tests__/support/run-action.ts";
import { zipOf } from "../__tests__/support/zip.ts";
import { placedRun } from "../__tests__/support/outputs.ts";
import { DEMO_INPUTS, ROOT, SUITE } from "./demo-suite.ts";
import {
  BREAKING_RED,
  BREAKING_RED_AGAIN,
  CLAIM_RED,
  judgeOf,
  MINI,
  NOTES,
  resultsOf,
  SONNET,
  suiteFiles,
  WORDS_RED,
} from "./preview-suite.ts";
import type { Judged, PreviewGrader, PreviewSuite } from "./preview-suite.ts";

type Files = Readonly<Record<string, unknown>>;

/** One run: its repository, its workflow's inputs, and its judge's answers. */
interface Scene {
  readonly files: Files;
  /** What `run` left, below the runner's temporary folder. */
  readonly left?: Files;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly judge?: (asked: Asked) => Reply;
  /** A push to main, or a pull request from a fork, instead of one of the repository. */
  readonly event?: "push" | "fork";
  /** The graded results that pushes to main kept, the newest first. */
  readonly kept?: readonly string[];
  /** Cancels the run after this many requests. */
  readonly cancelAfter?: number;
}

/** What a run published: pages as Markdown, the HTML report as it is, and its graded results. */
export interface Pages {
  readonly summary: string;
  readonly comment: string;
  readonly check: string;
  readonly html?: string | undefined;
  readonly graded: string;
}

/** The address that pages name instead of the loopback judge's. */
const API = "https://api.openai.com/v1";

async function play(scene: Scene, workspace = writeProject(scene.files)): Promise<Pages> {
  let asked = 0;
  let cancel: (() => void) | undefined;
  const when = new Promise<void>((resolve) => (cancel = resolve));
  const judge = await startJudge((one) => {
    asked += 1;
    if (asked > (scene.cancelAfter ?? Infinity)) cancel?.();
    const reply = scene.judge?.(one) ?? {};
    return asked > (scene.cancelAfter ?? Infinity) ? { connection: "hang" } : reply;
  });
  const github = await startGitHub({
    branch: "main",
    artifacts: (scene.kept ?? []).map((graded, index, all) => ({
      run: all.length - index,
      branch: "main",
      archive: zipOf({ "graded.json": JSON.parse(graded) as unknown }),
    })),
  });
  try {
    const offline = scene.inputs?.offline === "true";
    const { outputs, summary, log } = await runAction({
      workspace,
      githubUrl: github.url,
      env: {
        GITHUB_RUN_NUMBER: "128",
        GITHUB_REF: scene.event === "push" ? "refs/heads/main" : undefined,
        GITHUB_WORKFLOW_REF: "octo/agents/.github/workflows/evals.yml@refs/heads/main",
      },
      ...(scene.event === "push" ? { event: { name: "push", payload: {} } } : {}),
      ...(scene.event === "fork" ? { event: pullRequestEvent("stranger/agents") } : {}),
      ...(scene.cancelAfter === undefined ? {} : { interrupt: { when, signal: "SIGINT" } }),
      inputs: {
        ...(offline || scene.event === "fork"
          ? {}
          : { "base-url": judge.url, "api-key": "sk-loopback-0123456789abcdef" }),
        comment: "always",
        "model-prices": "gpt-6-luna=0.10/0.50",
        reports: "html=report.html",
        "output-file": "graded.json",
        ...(scene.left ? { results: writeProject(scene.left) } : {}),
        ...scene.inputs,
      },
    });
    if (summary === "") throw new Error(`Nothing was published:\n${log}`);
    const shown = (text: string) => text.replaceAll(judge.url, API);
    const output = github.checkRuns[0]?.output;
    return {
      summary: shown(summary),
      comment: shown(github.comments[0]?.body ?? ""),
      check: output ? shown(`# ${output.title}\n\n${output.summary}`) : "",
      html: read(join(workspace, "report.html")),
      graded: read(outputs["results-file"] ?? "") ?? "",
    };
  } finally {
    await Promise.all([judge.close(), github.close()]);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const EVAL = { eval: "skills/*/evals/eval.yaml" };

/** Runs of the release notes' suite by one model, once per task by default. */
function notes(
  otherwise: (judged: Judged) => Reply | readonly Call[] | undefined = () => undefined,
  more: Partial<Scene> & { readonly models?: readonly string[]; readonly runs?: readonly number[] } = {},
): Scene {
  const { models = [SONNET], runs = [1], ...scene } = more;
  const results = models.map((model) => [`results/${model}.json`, resultsOf(NOTES, model, runs)]);
  return {
    judge: judgeOf([NOTES], otherwise),
    ...scene,
    files: { ...suiteFiles(NOTES), ...(Object.fromEntries(results) as Files), ...scene.files },
    inputs: { ...EVAL, results: "results/*.json", ...scene.inputs },
  };
}

/** A run of the demo's suite, from its records. */
async function firstRed(): Promise<Pages> {
  const workspace = writeProject({});
  cpSync(join(ROOT, SUITE), join(workspace, SUITE), { recursive: true });
  const inputs = { ...DEMO_INPUTS, "cache-dir": `${SUITE}/verdicts`, offline: "true" };
  return await play({ files: {}, inputs }, workspace);
}

const redNotes = ({ task, grader }: Judged) =>
  task !== "notes-from-log"
    ? undefined
    : grader === "breaking-changes-first"
      ? BREAKING_RED
      : grader === "every-claim-has-a-commit"
        ? CLAIM_RED
        : undefined;

/** Two models, three runs each: flaky, a doubt, a warning. */
const someRed = () =>
  play(
    notes(
      ({ task, model, run, grader }) => {
        switch (`${model} ${task} ${String(run)} ${grader}`) {
          case `${SONNET} notes-from-log 2 every-claim-has-a-commit`:
            return CLAIM_RED;
          case `${MINI} notes-from-log 1 breaking-changes-first`:
            return BREAKING_RED;
          case `${MINI} notes-from-log 3 breaking-changes-first`:
            return BREAKING_RED_AGAIN;
          case `${MINI} release-candidate 2 breaking-changes-first`:
            return BREAKING_RED_AGAIN.slice(1, 2);
          default:
            return undefined;
        }
      },
      { models: [SONNET, MINI], runs: [1, 2, 3], inputs: { "min-score": "0.95" } },
    ),
  );

/** The account runs out of credit after a few replies. */
function judgeDown(): Promise<Pages> {
  let answered = 0;
  const message = "You exceeded your current quota, please check your plan and billing details.";
  const empty: Reply = { status: 429, error: { message, code: "insufficient_quota" } };
  const judge = judgeOf([NOTES], ({ task, run, grader }) =>
    task === "notes-from-log" && run === 1 && grader.startsWith("breaking") ? BREAKING_RED_AGAIN : undefined,
  );
  const scene = notes(undefined, { runs: [1, 2] });
  return play({
    ...scene,
    inputs: { ...scene.inputs, "max-concurrency": "1" },
    judge: (asked) => {
      answered += 1;
      return answered > 4 ? empty : judge(asked);
    },
  });
}

/** Three runs against a baseline of before: worse and better, a grader that is new, and a task that is gone. */
async function compared(): Promise<Pages> {
  const runs = [1, 2, 3, 4, 5, 6];
  const gone = { id: "hotfix", prompt: "Write the notes of v4.1.1, a hotfix." };
  const before: PreviewSuite = {
    ...NOTES,
    tasks: [...NOTES.tasks, gone],
    graders: NOTES.graders.slice(0, 2),
  };
  const baseline = await play({
    files: { ...suiteFiles(before), "results/a.json": resultsOf(before, SONNET, runs) },
    inputs: { ...EVAL, results: "results/*.json" },
    event: "push",
    judge: judgeOf([before], ({ task, grader, run }) =>
      task === "nothing-to-release" && grader === "breaking-changes-first"
        ? BREAKING_RED_AGAIN
        : task === "release-candidate" && grader === "every-claim-has-a-commit" && run < 5
          ? CLAIM_RED
          : undefined,
    ),
  });
  const scene = notes(
    ({ task, grader, run }) =>
      (task === "notes-from-log" && run !== 4 ? redNotes({ task, grader, run, model: SONNET }) : undefined) ??
      (task === "nothing-to-release" && grader === "breaking-changes-first"
        ? BREAKING_RED_AGAIN
        : undefined) ??
      (task === "release-candidate" && grader === "plain-words" && run === 2 ? WORDS_RED : undefined),
    { runs, files: { "evals/baseline.json": baseline.graded } },
  );
  return await play({
    ...scene,
    inputs: { ...scene.inputs, baseline: "evals/baseline.json", "fail-on": "regression" },
  });
}

const LABELS = `task_id,grader,passed,note
notes-from-log,breaking-changes-first,false,The rename stands at the end.
notes-from-log,every-claim-has-a-commit,true,"The 40% are in the pull request's text, which the judge did not see."
notes-from-log,plain-words,false,"\u201cMetadata\u201d is no word for a user."
nothing-to-release,breaking-changes-first,true,
nothing-to-release,every-claim-has-a-commit,true,
nothing-to-release,plain-words,true,
release-candidate,breaking-changes-first,true,
release-candidate,every-claim-has-a-commit,true,
release-candidate,plain-words,true,
`;

/** Verdicts of waza's own judge, recorded in the results. */
function recorded(): Promise<Pages> {
  const validation = (passed: boolean, feedback: string, details: object) => ({
    type: "prompt",
    score: passed ? 1 : 0,
    weight: 1,
    passed,
    feedback,
    details,
  });
  const green = validation(true, "All prompts passed", {
    passes: "pass: It is right: Each line has its commit.",
    failures: "",
  });
  const red = validation(false, "fail: No change is left out: v4.2.0 has a new flag.", {
    passes: "",
    failures: "fail: No change is left out: The flag `--json` is in the log, and not in the notes.",
  });
  const results = resultsOf(NOTES, SONNET, [1], (task) => ({
    validations: Object.fromEntries(
      NOTES.graders.map(({ name }) => [
        name,
        task === "notes-from-log" && name === "plain-words" ? red : green,
      ]),
    ),
  }));
  return play({
    files: { ...suiteFiles(NOTES), "results/a.json": results },
    inputs: { ...EVAL, results: "results/*.json", offline: "true" },
  });
}

/** Two suites graded by matrix jobs, merged by one job that asks no judge; one job failed. */
async function merged(): Promise<Pages> {
  const named = (name: string): PreviewSuite => ({ ...NOTES, name });
  const leg = async (name: string, otherwise?: (judged: Judged) => readonly Call[] | undefined) => {
    const suite = named(name);
    const { graded } = await play({
      files: { ...suiteFiles(suite), "results/a.json": resultsOf(suite, SONNET, [1]) },
      inputs: { ...EVAL, results: "results/*.json" },
      judge: judgeOf([suite], otherwise),
    });
    return graded;
  };
  const legs = {
    "legs/leg-pdf/graded.json": await leg("pdf", redNotes),
    "legs/leg-csv/graded.json": await leg("csv"),
  };
  const suites = ["csv", "pdf", "xlsx"].map((name) => suiteFiles(named(name)));
  return await play({
    files: { ...(Object.assign({}, ...suites) as Files), ...legs },
    inputs: { ...EVAL, results: "legs/**/*.json", offline: "true" },
  });
}

/** 210 grades, of which many fail for the same few reasons. */
function many(): Promise<Pages> {
  const topics = ["tests", "naming", "errors", "security", "docs", "scope", "tone"];
  const areas = ["payments", "search", "login", "export", "sync", "billing"];
  const suite: PreviewSuite = {
    name: "pr-review",
    answer: "I read the change. It looks fine to me.\n",
    tasks: Array.from({ length: 30 }, (_, index) => ({
      id: `${areas[index % areas.length] ?? ""}-${String(100 + 7 * index)}`,
      prompt: `Review pull request ${String(100 + 7 * index)}.`,
    })),
    graders: topics.map((topic): PreviewGrader => {
      const prompt = `Does the review say what is wrong with the ${topic} of the change?`;
      const green = [pass(`The ${topic} are reviewed`, `It names what is wrong with the ${topic}.`)];
      return { name: `${topic}-reviewed`, config: { prompt }, green };
    }),
  };
  const reason = (topic: string, area: string) =>
    topic === "tests"
      ? "No source is named."
      : `The review of the ${area} change never mentions its ${topic}. It praises the change 👍, quotes the diff and stops before the part that matters.`;
  return play({
    files: { ...suiteFiles(suite), "results/a.json": resultsOf(suite, SONNET, [1]) },
    inputs: { ...EVAL, results: "results/*.json", "min-score": "0.9" },
    judge: judgeOf([suite], ({ task, grader }) => {
      const [area = "", number = "0"] = task.split("-");
      const column = topics.findIndex((topic) => grader.startsWith(topic));
      if ((Number(number) * 5 + column * 3) % 4 !== 0) return undefined;
      const topic = topics[column] ?? "";
      return [fail(`The ${topic} are reviewed`, reason(topic, area))];
    }),
  });
}

/** Long names, names from right to left and of emoji, ten graders, five models, reasons in Chinese and without end. */
function odd(): Promise<Pages> {
  const long = "a-task-whose-author-thought-that-an-id-is-a-good-place-for-the-whole-story-of-the-bug-4711";
  const suite: PreviewSuite = {
    name: "odd-names",
    answer: "# הערות\n\n这个版本修复了三个问题,但是没有说明如何升级。\n",
    tasks: [long, "סיכום-גרסה", "🚀-launch 🎉", "发布说明", "plain"].map((id) => ({
      id,
      prompt: `Do ${id}.`,
    })),
    graders: Array.from({ length: 10 }, (_, index): PreviewGrader => {
      const name =
        ["accurate", "完整性", "דיוק", "no-😀-emoji"][index] ?? `criterion-number-${String(index)}-of-ten`;
      const prompt = `Criterion ${String(index)}: is it good?`;
      return { name, weight: index === 0 ? 2.5 : 1, config: { prompt }, green: [pass("It is good", "Yes.")] };
    }),
  };
  const models = [
    SONNET,
    MINI,
    "gemini-3.8-flash",
    "llama-4-maverick-17b-128e-instruct-fp8",
    "mistral-large",
  ];
  return play({
    files: {
      ...suiteFiles(suite),
      ...Object.fromEntries(
        models.map((model) => [`results/${model}.json`, resultsOf(suite, model, [1, 2])]),
      ),
    },
    inputs: { ...EVAL, results: "results/*.json", "judge-votes": "3" },
    judge: judgeOf([suite], ({ task, model, run, grader }) => {
      if (model !== MINI || run !== 2) return undefined;
      if (task === "发布说明" && grader === "完整性")
        return [
          fail(
            "升级说明",
            "说明中写道“这个版本修复了三个问题,但是没有说明如何升级。”,但读者无法知道该怎么做。应当列出每一个不兼容的变更,并给出迁移步骤。",
          ),
        ];
      if (task === "סיכום-גרסה" && grader === "דיוק")
        return [fail("הסיכום מדויק", "הסיכום אומר שהגרסה מהירה יותר ב-40%, ואין לכך שום ראיה ביומן.")];
      if (task === long && grader === "accurate")
        return [
          fail(
            "Every statement is true",
            "It says one thing, then another, and then the first again, and none of that is in the diff. ".repeat(
              30,
            ),
          ),
        ];
      if (task.startsWith("🚀") && grader.startsWith("no-")) return [fail("No emoji 🙈", "🚀🎉 are emoji.")];
      return undefined;
    }),
  });
}

/** The evals of a skill, graded by statement, with and without the skill. */
function skill(): Promise<Pages> {
  const ids = [1, 2, 3, 4];
  const assertions = ["The pages are in order", "No page is lost", "The answer names the file"];
  const evals = ids.map((id) => ({ id, prompt: `Merge the files of task ${String(id)}.`, assertions }));
  const path = "skills/pdf/evals/evals.json";
  const bare = ids.map((id) => ({
    task_id: id,
    output: "I concatenated the files.",
    eval: path,
    side: "without-skill",
  }));
  const logs = [
    ...ids.map((id) => [`out/pdf/${String(id)}.md`, `Merged into merged-${String(id)}.pdf, in order.`]),
    ["out/bare.jsonl", bare.map((row) => JSON.stringify(row)).join("\n")],
  ];
  const verdict = (statement: number, passed: boolean, reason: string): Call => ({
    name: passed ? "set_waza_grade_pass" : "set_waza_grade_fail",
    args: { statement, reason },
  });
  return play({
    files: {
      [path]: { skill_name: "pdf", evals },
      ...(Object.fromEntries(logs) as Record<string, string>),
    },
    inputs: { results: "out/**/*", lift: "true" },
    judge: ({ evidence }) => {
      const isBare = evidence.includes("concatenated");
      return {
        calls: [
          verdict(1, true, "The answer says so."),
          verdict(2, !evidence.includes("merged-3"), "The answer does not count the pages."),
          verdict(3, !isBare, isBare ? "No file is named." : "It names the merged file."),
        ],
      };
    },
  });
}

const PAGES = [
  "The pages are in order",
  "No page is lost",
  "The answer names the file",
  "The answer names its size",
];

/** The settings of the workflow that `init` writes, beside what it names by paths. */
const OF_INIT = {
  baseline: "default-branch",
  "fail-on": "regression",
  "second-look": "true",
  "confirm-on-fail": "2",
  comment: "failures",
};

const CLIENT = { version: "2.1.332", model: "claude-sonnet-5-5" };

/** What Claude Code prints, as `run` keeps it; `skill`: the agent loaded this one. */
function logOf(answer: string, { version, model } = CLIENT, skill?: string): string {
  const content = [
    ...(skill === undefined ? [] : [{ type: "tool_use", id: "1", name: "Skill", input: { skill } }]),
    { type: "text", text: answer },
  ];
  return [
    {
      type: "system",
      subtype: "init",
      session_id: "s",
      model,
      claude_code_version: version,
      tools: ["Read", "Skill"],
    },
    { type: "assistant", session_id: "s", message: { role: "assistant", model, content } },
    { type: "result", subtype: "success", session_id: "s", is_error: false, result: answer },
  ]
    .map((row) => JSON.stringify(row))
    .join("\n");
}

const PDF = "skills/pdf/evals/evals.json";
const PDF_SKILL = {
  "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Merges and splits PDF files.\n---\n# PDF\n",
};

interface Pushed {
  readonly push?: number;
  /** Two further runs of some tasks by number: how many statements fail in them. */
  readonly again?: Readonly<Record<number, number>>;
  readonly client?: typeof CLIENT;
}

/** The list of their runs: one of each, and the further ones. */
function planned(evals: number, again: Readonly<Record<number, number>>) {
  const row = (task: string, trial: number) => ({
    folder: `${task}-${String(trial)}`,
    eval: PDF,
    task,
    trial,
  });
  const first = Array.from({ length: evals }, (_, index) => row(String(index + 1), 1));
  const further = Object.keys(again).flatMap((id) =>
    [2, 3].map((trial) => ({ ...row(id, trial), again: true })),
  );
  return { version: 2, runs: [...first, ...further] };
}

/** The evals of a skill, of each the number of statements that fail, in one run. */
function pages(failing: readonly number[], { push = 0, again = {}, client = CLIENT }: Pushed = {}): Scene {
  const evals = failing.map((_, index) => ({
    id: index + 1,
    prompt: `Merge the files of folder ${String(index + 1)} into one PDF.`,
    assertions: PAGES,
  }));
  const run = (id: number, trial: number, failed: number) => {
    const how = ["all is well", "in part", "in part", "in part", "it failed"][failed] ?? "";
    const answer = `Merged into merged-${String(push)}-${String(trial)}.pdf: ${how} (${String(failed)}).`;
    const record = { eval: PDF, task: String(id), trial };
    return placedRun(`${String(id)}-${String(trial)}`, record, logOf(answer, client, "pdf"));
  };
  const runs = [
    ...failing.map((failed, index) => run(index + 1, 1, failed)),
    ...Object.entries(again).flatMap(([id, failed]) => [2, 3].map((trial) => run(Number(id), trial, failed))),
  ];
  return {
    files: {
      ...PDF_SKILL,
      [PDF]: { skill_name: "pdf", evals },
    },
    left: Object.assign({ "plan/runs.json": planned(failing.length, again) }, ...runs) as Files,
    inputs: OF_INIT,
    judge: ({ evidence }) => {
      const failed = Number(/\((\d)\)\./.exec(evidence)?.[1]);
      const calls = PAGES.map((_, index): Call => {
        const isGood = index < PAGES.length - failed;
        const reason = isGood ? "The answer says so." : "The answer does not say so.";
        const name = isGood ? "set_waza_grade_pass" : "set_waza_grade_fail";
        return { name, args: { statement: index + 1, reason } };
      });
      return { calls };
    },
  };
}

/** A pull request held against what pushes to main kept; without main nothing is compared. */
async function held(
  main: readonly number[] | undefined,
  now: readonly number[],
  {
    pushes = 1,
    again = {},
    before = CLIENT,
  }: Pick<Pushed, "again"> & { pushes?: number; before?: typeof CLIENT } = {},
): Promise<Pages> {
  const kept: string[] = [];
  for (let push = 1; main !== undefined && push <= pushes; push += 1)
    kept.unshift((await play({ ...pages(main, { push, client: before }), event: "push" })).graded);
  const scene = pages(now, { again });
  return await play({ ...scene, kept });
}

/** Trigger evals beside main, where every query loaded the skill: now one never does. */
async function triggers(): Promise<Pages> {
  const queries = [
    "Merge these PDF files",
    "Split report.pdf after page 3",
    "Put the scans into one document",
  ];
  const scene = (loads: readonly number[]): Scene => {
    const runs = queries.flatMap((trigger, index) =>
      [1, 2, 3].map((trial) => {
        const record = {
          eval: "skills/pdf/evals/triggers.json",
          trigger,
          skill: "pdf",
          should_trigger: true,
          trial,
        };
        const skill = trial <= (loads[index] ?? 0) ? "pdf" : undefined;
        return placedRun(`t${String(index)}-${String(trial)}`, record, logOf("Done.", CLIENT, skill));
      }),
    );
    const list = queries.map((query) => ({ query, should_trigger: true }));
    const { files, left: ofTasks, ...own } = pages(TWELVE.slice(8));
    return {
      ...own,
      files: { ...files, "skills/pdf/evals/triggers.json": list },
      left: Object.assign({}, ofTasks, ...runs) as Files,
    };
  };
  const { graded } = await play({ ...scene([3, 3, 3]), event: "push" });
  return await play({ ...scene([3, 3, 0]), kept: [graded] });
}

const [NONE, ONE, ALL] = [0, 1, 4];
const TWELVE = Array.from({ length: 12 }, () => NONE);
const HALF = [...TWELVE.slice(6), ...Array.from({ length: 6 }, () => ONE)];

/** Twelve of which the fourth fails in part. */
const SAGGING = TWELVE.map((_, index) => (index === 3 ? ONE : NONE));
/** Six that fail in half of their statements. */
const HALVES = Array.from({ length: 6 }, () => 2);
/** Twelve of which the fifth and the ninth dropped. */
const DROPPED = TWELVE.map((_, index) => (index === 4 ? ALL : index === 8 ? 2 : NONE));

/** Scenes to draw, by name. */
export const SCENES: Readonly<Record<string, () => Promise<Pages>>> = {
  "first-red": firstRed,
  "all-green": () => play(notes(undefined, { inputs: { "min-score": "0.9" } })),
  "some-red": someRed,
  "judge-down": judgeDown,
  many,
  "dry-run": () => play(notes(undefined, { inputs: { "dry-run": "true" } })),
  compared,
  "regression-red": () => held(SAGGING, [...TWELVE.slice(6), ...HALVES], { pushes: 5 }),
  "regression-drop": () => held(HALF, [ONE, ...HALF.slice(1, 10), 2, NONE]),
  "regression-undecided": () => held(TWELVE, [...TWELVE.slice(3), 2, 3, ALL]),
  "regression-not-compared": () => held(undefined, [...TWELVE.slice(1), 2]),
  "regression-added": () => held(HALF, [...HALF, 3, NONE]),
  "look-first": () => held(TWELVE, DROPPED, { pushes: 5 }),
  "look-red": () => held(TWELVE, DROPPED, { pushes: 5, again: { 5: ALL, 9: NONE } }),
  "look-green": () => held(TWELVE, DROPPED, { pushes: 5, again: { 5: NONE, 9: NONE } }),
  "regression-client": () =>
    held(SAGGING, [...TWELVE.slice(6), ...HALVES], { pushes: 5, before: { ...CLIENT, version: "2.1.197" } }),
  triggers,
  gone: () => held(HALF, TWELVE.slice(4), { pushes: 5 }),
  advisory: () =>
    play(
      notes(
        ({ task, grader }) =>
          grader === "plain-words" && task !== "release-candidate" ? WORDS_RED : undefined,
        {
          inputs: { advisory: "plain-words" },
        },
      ),
    ),
  labels: () =>
    play(
      notes(redNotes, {
        files: { "evals/labels.csv": LABELS },
        inputs: { labels: "evals/labels.csv" },
      }),
    ),
  recorded,
  merged,
  cancelled: () => play({ ...notes(redNotes, { inputs: { "max-concurrency": "1" } }), cancelAfter: 5 }),
  broken: () =>
    play(
      notes(undefined, {
        files: {
          "skills/broken/evals/eval.yaml":
            "name: broken\ntasks: [tasks/*.yaml]\ngraders:\n  - type: prompt\n    name: a\n    wieght: 2\n    config: {rubric: groundednes}\n",
        },
      }),
    ),
  skill,
  fork: () => play({ ...notes(redNotes), event: "fork" }),
  odd,
};
