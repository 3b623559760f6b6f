/** What tells one use of this action from the others on a commit, in the check run and in the comment. */
import { createHash } from "node:crypto";
import { oneLineText } from "./neutralise.ts";

export interface Use {
  /** The check run's name: `waza-grade`, or `waza-grade (ubuntu-latest, 20)` in a leg of a matrix. */
  readonly name: string;
  /** The same for every run of the workflow. */
  readonly key: string;
}

/** Characters of a leg's values in a name. */
const LONGEST_LEG = 100;

/** A step of a workflow's job, by its check name, in the leg of the matrix that the JSON of the input `matrix` is. */
export function useOf(of: {
  readonly job: { readonly workflow: string; readonly job: string };
  readonly checkName: string;
  readonly matrix: string;
}): Use {
  const { job, checkName, matrix } = of;
  const parts = JSON.stringify([job.workflow, job.job, matrix, checkName]);
  const leg = oneLineText(valuesOf(matrix).join(", "), LONGEST_LEG);
  return {
    name: leg === "" ? checkName : `${checkName} (${leg})`,
    key: createHash("sha256").update(parts).digest("hex").slice(0, 32),
  };
}

/** A leg's values, as GitHub shows them in the name of a job; a text that is no JSON is one value. */
function valuesOf(matrix: string): string[] {
  try {
    const leg = JSON.parse(matrix) as unknown;
    return Object.values(leg ?? {}).map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
  } catch {
    return [matrix];
  }
}
