/** The lines of `waza-grade run`: one a run as it ends, and at the end what was made, and what it took. */
import { join } from "node:path";
import type { TokenUse } from "../domain/run.ts";
import { count, formatDollars, formatNumber, outOf, sumOf } from "../text/format.ts";
import { agentOf } from "./agents.ts";
import { installLine } from "./install.ts";
import type { Call, MadeRun, MadeRuns, Progress } from "./making.ts";
import type { RunOptions } from "./run-options.ts";
import type { PlannedRun } from "../plan/runs.ts";

const NO_WORK = "never got to work";
const NO_ANSWER = "ended without an answer";

/** `release-notes/1 without the skill 2/3`. */
export function runName({ suite, task, side, trial, trials }: PlannedRun): string {
  const of =
    trial > trials ? ` run ${String(trial)}` : trials > 1 ? ` ${String(trial)}/${String(trials)}` : "";
  const without = side === undefined ? "" : " without the skill";
  return `${suite.title}${task === undefined ? "" : `/${task.id}`}${without}${of}`;
}

/** The line of a run that has ended. */
export function runLine({ run, record, worked, isOld, stopped, last }: MadeRun): string {
  const seconds = ` · ${String(Math.round((record.durationMs ?? 0) / 1_000))} s`;
  const tries = record.tries === undefined ? "" : ` · ${String(record.tries)} tries`;
  const how = isOld
    ? " · made before, and kept"
    : record.timedOut === true && worked
      ? `${seconds} · timed out`
      : seconds;
  const wrong = worked ? "" : ` · ${record.error ?? stopped ?? last[0] ?? NO_WORK}`;
  return `${worked ? "✓" : "✗"} ${runName(run)}${how}${tries}${wrong}`;
}

/** The line before a pause. */
export function waitLine({ run, last }: MadeRun, milliseconds: number): string {
  const why = last.at(-1) ?? "no answer";
  return `${runName(run)} is tried again in ${String(milliseconds / 1_000)} s: ${why}`;
}

/** Why runs were not started; undefined where all were. */
export function whyLeft({ left, stopped }: MadeRuns, agent: string): string | undefined {
  if (left === 0) return undefined;
  return stopped === false ? "`run` was interrupted." : STOPPED[stopped](REST, installLine(agent));
}

const REST = ", so the rest was not started";

/** The last lines, when all runs have ended. */
export function endLines({ made, left, stopped }: MadeRuns, { out, agent }: RunOptions): string[] {
  const install = installLine(agent);
  const dead = made.filter(({ worked }) => !worked);
  const unfinished = dead.filter(({ stopped }) => stopped !== undefined).length;
  const lacks = [
    [dead.length - unfinished, NO_WORK],
    [unfinished, NO_ANSWER],
  ] as const;
  const without = lacks.flatMap(([number, what]) => (number > 0 ? `, ${String(number)} ${what}` : []));
  const kept = made.filter(({ isOld }) => isOld).length;
  const before = kept === 0 ? "" : `, ${String(kept)} of them before, and kept (\`--again\` makes all again)`;
  return [
    ...deadLines(dead, out),
    ...versionLines(dead, install),
    ...useLines(made),
    `${outOf(made.length - dead.length, made.length + left, "run")} made${before}${without.join("")}${left > 0 ? `, ${String(left)} not started` : ""}: ${out}`,
    ...(stopped === false ? [] : [STOPPED[stopped](left > 0 ? REST : "", install)]),
  ];
}

const STOPPED = {
  hopeless: (rest: string) =>
    `The agent came to no answer${rest}: look at its key, its account and its last lines.`,
  unread: (rest: string) =>
    `What the agent printed is in no format that is read${rest}: docs/outputs.md lists them.`,
  absent: (rest: string, install: string | undefined) =>
    install === undefined
      ? `The agent's program was not found${rest}. It is started in the run's own folder: name it by its whole path.`
      : `The agent is not installed${rest}: ${install}`,
  capped: () => "`max-cost-usd` was reached: what was at work was ended, and nothing more is started.",
  full: (rest: string) => `The disk of \`out\`, or of the temporary folder, is full${rest}.`,
  "used-up": (rest: string) =>
    `The account of the agent is used up until the hour that its client names${rest}.`,
  refused: (rest: string) => `The agent's key was refused, or its account is empty${rest}.`,
} as const;

/** Runs that never got to work, those of one reason together. */
function deadLines(dead: readonly MadeRun[], out: string): string[] {
  const byReason = Map.groupBy(dead, ({ last, stopped }) => [stopped, ...last].join("\n"));
  return [...byReason.values()].flatMap((its) => {
    const [first] = its;
    if (!first) return [];
    const more = its.length > 1 ? ` and ${count(its.length - 1, "more run")}` : "";
    const reasons = first.last.filter((text) => text !== first.stopped).map((text) => `    ${text}`);
    const what = first.stopped === undefined ? NO_WORK : `${NO_ANSWER} (${first.stopped})`;
    return [`✗ ${runName(first.run)}${more} ${what}: ${join(out, first.run.folder)}`, ...reasons];
  });
}

/** A client of another version than was tried that ended with a failure: it may not know what it was started with. */
function versionLines(dead: readonly MadeRun[], install = ""): string[] {
  const { exit, agent = "", agentVersion: version } = dead[0]?.record ?? {};
  const [, tried] = agentOf(agent)?.package ?? [];
  if (!exit || version === undefined || tried === undefined || version.includes(tried)) return [];
  return [`${agent} is ${version} here, and ${tried} was tried: ${install}`];
}

/** Tokens, cost and time of the agent, by side where there are two. */
function useLines(made: readonly MadeRun[]): string[] {
  const fresh = made.filter(({ isOld, worked }) => worked && !isOld);
  const sides = [...Map.groupBy(fresh, ({ run }) => run.side ?? "").entries()];
  return sides.map(([side, its]) => {
    const who = sides.length < 2 ? "The agent" : `${side === "" ? "With" : "Without"} the skill the agent`;
    return `${who} took ${useText(its)}.`;
  });
}

function useText(made: readonly MadeRun[]): string {
  const tokens = made.flatMap(({ record }) => record.tokens ?? []);
  const costs = made.flatMap(({ record }) => record.costUsd ?? []);
  const times = made.map(({ record }) => record.durationMs ?? 0);
  const all = sumOf(tokens.map(({ input, output }: TokenUse) => input + output));
  const cached = sumOf(tokens.map((one) => one.cached));
  return [
    tokens.length > 0 ? `${formatNumber(all)} tokens (${formatNumber(cached)} from the cache)` : [],
    costs.length > 0 ? `${formatDollars(sumOf(costs))} by its own count` : [],
    `${formatNumber(sumOf(times) / times.length / 1_000)} s a run`,
  ]
    .flat()
    .join(", ");
}

/* While runs are made. */

/** A run under way. */
interface Active {
  readonly began: number;
  calls: number;
}

/** Begins to say how runs go: on a terminal by one line that moves each second, elsewhere by a line at each start and end. */
export function startProgress({ planned, line, status }: Call): Progress {
  const active = new Map<PlannedRun, Active>();
  let ended = 0;
  const show = () => {
    const [oldest, ...others] = active;
    if (!oldest) return;
    const [run, { began, calls }] = oldest;
    const seconds = Math.round((performance.now() - began) / 1_000);
    const more = others.length > 0 ? ` · ${String(others.length)} more at work` : "";
    status?.(
      `${String(ended + 1)} of ${String(planned.length)} · ${runName(run)} · ${String(seconds)} s · ${count(calls, "call")}${more}`,
    );
  };
  const timer = status && setInterval(show, 1_000);
  return {
    begin: (run) => {
      const its: Active = { began: performance.now(), calls: 0 };
      active.set(run, its);
      if (!status) {
        line(`… ${runName(run)} begins`);
        return () => undefined;
      }
      show();
      return (calls) => {
        its.calls = calls;
      };
    },
    end: (made) => {
      active.delete(made.run);
      ended += 1;
      line(runLine(made));
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
