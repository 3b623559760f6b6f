/** Several attempts of the agent's job: their runs are further runs of each task. Pure. */
import { hasConversation, UNKNOWN_MODEL } from "../domain/run.ts";
import type { HeldRun, ResultsFile, Run } from "../domain/run.ts";

/**
 * Renumbers the runs of several attempts, so that no two share a number, and drops runs without any work if the same run
 * of another attempt has some or is newer. Without a second attempt nothing changes.
 */
export function unite(files: readonly ResultsFile[]): readonly ResultsFile[] {
  const held = files.flatMap((file) => file.runs.map((run): HeldRun => ({ file, run })));
  if (new Set(held.map(({ run }) => run.attempt)).size < 2) return files;
  const kept = new Map<Run, Run>();
  for (const same of Map.groupBy(held, keyOf).values())
    for (const run of withoutDead(same)) kept.set(run, run);
  const left = held.filter(({ run }) => kept.has(run));
  for (const ofTask of Map.groupBy(left, (one) => JSON.stringify([keyOfTask(one), one.run.model])).values())
    for (const [run, numbered] of numberedOn(ofTask)) kept.set(run, numbered);
  return files.map((file) => ({ ...file, runs: file.runs.flatMap((run) => kept.get(run) ?? []) }));
}

function keyOfTask({ file, run }: HeldRun): string {
  return JSON.stringify([file.evalName, file.suite, run.side, run.taskId]);
}

function keyOf(one: HeldRun): string {
  return JSON.stringify([keyOfTask(one), one.run.number]);
}

/** Of the same run in several attempts, those with work, per model; else the newest. */
function withoutDead(same: readonly HeldRun[]): Run[] {
  const runs = same.map(({ run }) => run);
  const attempts = runs.map(({ attempt = 0 }) => attempt);
  return runs.filter((run) => {
    const others = runs.filter((other) => other.attempt !== run.attempt && isOfModel(other, run));
    return hasWorked(run) || (!others.some(hasWorked) && (run.attempt ?? 0) === Math.max(...attempts));
  });
}

/** A run without any work may lack its model. */
function isOfModel(one: Run, other: Run): boolean {
  return [one.model, UNKNOWN_MODEL].includes(other.model) || one.model === UNKNOWN_MODEL;
}

function hasWorked(run: Run): boolean {
  return run.agent === "finished" && (run.finalOutput.trim() !== "" || hasConversation(run));
}

/** The runs of a task and model: those of an attempt come after those of the attempts before it. */
function numberedOn(held: readonly HeldRun[]): [Run, Run][] {
  const byAttempt = [...Map.groupBy(held, ({ run }) => run.attempt ?? 0)].sort(([a], [b]) => a - b);
  const newest = new Map(byAttempt.flatMap(([attempt, its]) => its.map(({ run }) => [run.number, attempt])));
  let before = 0;
  return byAttempt.flatMap(([attempt, its]) => {
    const shift = attempt === 0 ? 0 : before;
    // Runs without an attempt count as those of the first.
    if (attempt > 0) before = Math.max(before, ...its.map(({ run }) => run.number + shift));
    return its.map(({ run }): [Run, Run] => [
      run,
      {
        ...run,
        number: run.number + shift,
        numberInAttempt: run.number,
        hasLaterAttempt: (newest.get(run.number) ?? 0) > attempt ? true : undefined,
      },
    ]);
  });
}
