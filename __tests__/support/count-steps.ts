/** Counts the steps of code: how often V8 ran each of its blocks. The same on every machine, however slow. */
import { Session } from "node:inspector/promises";

// V8 counts what it compiles from now on, and nothing that it optimises: imported first, and run with `--no-opt --no-maglev`.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/**
 * The blocks that `run` ran, of all scripts. What V8 does within one step (a pattern, a copy) is not seen: for patterns
 * there are the rules `regexp/no-super-linear-…` of the linter.
 */
export async function countSteps(run: () => unknown): Promise<number> {
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  let steps = 0;
  for (const { functions } of result)
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  return steps;
}
