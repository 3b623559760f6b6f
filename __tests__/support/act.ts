/** The action on a project between both loopback servers, in one call: the bundle in a process, or the sources in this one. */
import { expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import { startGitHub, type GitHubOptions, type GitHubServer } from "./github-server.ts";
import { fail, finish, pass, startJudge, type Asked, type JudgeServer, type Reply } from "./judge-server.ts";
import { runAction, type ActionResult, type ActionRun } from "./run-action.ts";
import { runHere } from "./run-here.ts";

export const KEY = "sk-loopback-0123456789abcdef";

export interface Outcome extends ActionResult {
  readonly judge: JudgeServer;
  readonly github: GitHubServer;
}

const open: { close: () => Promise<void> }[] = [];

/** The last judge of each folder of records: what is recorded is of a judge at its address. */
const recorders = new Map<string, JudgeServer>();

/** A judge; where there are records of one, it takes its place. */
async function startAgain(
  script: (asked: Asked) => Reply | Promise<Reply>,
  records = "",
): Promise<JudgeServer> {
  const before = recorders.get(records);
  await before?.close();
  const judge = await startJudge(script, { port: before && Number(new URL(before.url).port) });
  if (records !== "") recorders.set(records, judge);
  return judge;
}

type Act = (
  workspace: string,
  script: (asked: Asked) => Reply | Promise<Reply>,
  more?: Partial<ActionRun> & { readonly github?: GitHubOptions },
) => Promise<Outcome>;

/** Runs the bundle on a project, with a judge that answers by a script; both servers must have had nothing to refuse. */
export const act: Act = (...given) => actBy(runAction, ...given);

/** The same by the sources, in this process: for outputs, pages and requests. */
export const actHere: Act = (...given) => actBy(runHere, ...given);

/** The same with a named record, which has copies for waza beside it. */
export const actWithCopies: Act = (workspace, script, more = {}) =>
  actHere(workspace, script, { ...more, inputs: { "output-file": "graded/record.json", ...more.inputs } });

async function actBy(
  runner: (run: ActionRun) => Promise<ActionResult>,
  ...[workspace, script, more = {}]: Parameters<Act>
): Promise<Outcome> {
  const judge = await startAgain(script, more.inputs?.["cache-dir"]);
  const github = await startGitHub(more.github);
  open.push(judge, github);
  const result = await runner({
    workspace,
    githubUrl: github.url,
    ...more,
    inputs: { "base-url": judge.url, "api-key": KEY, ...more.inputs },
  });
  expect(judge.refused).toEqual([]);
  expect(github.refused).toEqual([]);
  return { ...result, judge, github };
}

/** Waits until something has come, by looking again and again. */
export async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20).unref());
}

/** Closes the servers of the test that ends. */
export async function closeServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}

/** A judge that makes the calls in its first reply and finishes in it. */
export function once(reply: Reply | ((asked: Asked) => Reply)): (asked: Asked) => Reply {
  return (asked) => {
    if (asked.turn > 1) return {};
    const first = typeof reply === "function" ? reply(asked) : reply;
    return first.calls ? { ...first, calls: [...first.calls, finish] } : first;
  };
}

export const passing = once({ calls: [pass("It works", "because it does")] });
export const failing = once({ calls: [fail("It works", "because it does not")] });

/** The last line of the step's log, the verdict, as the runner shows it. */
export function lastLine(outcome: Outcome): string {
  return (outcome.log.trimEnd().split("\n").at(-1) ?? "").replaceAll("%25", "%");
}

/** A grade as the record has it, in the parts looked at. */
export interface RecordedGrade {
  readonly task_id: string;
  readonly run_number: number;
  readonly model: string | null;
  readonly grader: string;
  readonly state: string;
  readonly score: number | null;
  readonly requests: number;
  readonly checks?: readonly { readonly outcome: string; readonly statement?: number }[];
  readonly answer?: string;
  readonly side?: string;
  readonly golden?: boolean;
  readonly advisory?: boolean;
  readonly basis?: Readonly<Record<string, unknown>>;
  readonly query?: { readonly wants: boolean; readonly loaded?: boolean };
  readonly judge?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly class: string; readonly message: string };
  readonly incomplete?: { readonly message: string };
  readonly warning?: string;
  readonly evidence?: unknown;
}

/** What is ours in the record that a run wrote. */
export function recordOf({ outputs }: Pick<ActionResult, "outputs">) {
  const record = JSON.parse(readFileSync(outputs["results-file"] ?? "", "utf8")) as {
    waza_grade: {
      readonly rule: string;
      readonly score: number | null;
      readonly grades: readonly RecordedGrade[];
      readonly suites: readonly { readonly name: string }[];
      readonly comparison?: { readonly not_comparable: readonly { readonly reason: string }[] };
      readonly agreement?: object;
      readonly accepted?: readonly unknown[];
    };
  };
  return record.waza_grade;
}

/** Everything that left the action but for the lines that mask secrets. */
export function publishedText(outcome: Outcome, files: readonly string[]): string {
  const log = outcome.log.replaceAll(/^::add-mask::.*$/gm, "");
  return [log, outcome.summary, ...outcome.github.bodies, ...Object.values(outcome.outputs), ...files].join(
    "\n",
  );
}
