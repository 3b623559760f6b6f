/** `checkpoints`: graders that waza runs between the agent's turns. */
import type { Problem } from "../domain/location.ts";
import type { YamlSource } from "./yaml/source.ts";
import { notice } from "../text/problem.ts";

/** The notice that the graders at a path are not run: results hold only the end of a run. */
export function checkpointNotice(
  source: YamlSource,
  path: readonly PropertyKey[],
  checkpoints: unknown,
): Problem[] {
  if (!Array.isArray(checkpoints) || checkpoints.length === 0) return [];
  const at = source.spanOfKey(path);
  const name = path.map(String).join(".");
  const withoutLocation = `the graders in \`${name}\` are not run: they judge an agent between its turns, which only waza can.`;
  return [notice(`\`${at.path}\`: ${withoutLocation}`, { at, withoutLocation })];
}
