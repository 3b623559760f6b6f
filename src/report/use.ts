/** Identifies this action instance, to find its check run and comment again. */
import { createHash } from "node:crypto";
import { oneLineText } from "./sanitize.ts";

export interface Use {
  /** The check run's name: `waza-grade`, or `waza-grade (ubuntu-latest, 20)` in a matrix job. */
  readonly name: string;
  /** The same for every run of the workflow. */
  readonly key: string;
}

/** Maximum characters of the matrix values in a name. */
const LONGEST_VALUES = 100;

/** The instance of a workflow's job and check name; `matrix` is the JSON of the matrix job's values. */
export function useOf(of: {
  readonly job: { readonly workflow: string; readonly job: string };
  readonly checkName: string;
  readonly matrix: string;
}): Use {
  const { job, checkName, matrix } = of;
  const parts = JSON.stringify([job.workflow, job.job, matrix, checkName]);
  const values = oneLineText(valuesOf(matrix).join(", "), LONGEST_VALUES);
  return {
    name: values === "" ? checkName : `${checkName} (${values})`,
    key: createHash("sha256").update(parts).digest("hex").slice(0, 32),
  };
}

/** The values of a matrix job, as in GitHub's job names; text that is not JSON is one value. */
function valuesOf(matrix: string): string[] {
  try {
    const values = JSON.parse(matrix) as unknown;
    return Object.values(values ?? {}).map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
  } catch {
    return [matrix];
  }
}
