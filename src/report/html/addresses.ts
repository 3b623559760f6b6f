/** Anchors of grades within the page: unique, and the same in every run. */
import { createHash } from "node:crypto";
import type { Grade } from "../../domain/grade.ts";

/** Characters of the readable part of an address. */
const SLUG = 60;

export function addresses(grades: readonly Grade[]): ReadonlyMap<Grade, string> {
  const taken = new Map<string, number>();
  return new Map(
    grades.map((grade) => {
      const address = addressOf(grade);
      const times = (taken.get(address) ?? 0) + 1;
      taken.set(address, times);
      return [grade, times === 1 ? address : `${address}-${String(times)}`];
    }),
  );
}

function addressOf({ job }: Grade): string {
  const { suite, task, grader, run, missing } = job;
  const { number = 1, model = "" } = run ?? missing ?? {};
  const parts = [task.id, grader.name, String(number)];
  const hash = createHash("sha256").update(JSON.stringify([suite.at.path, model, ...parts]));
  const slug = parts.join("-").toLowerCase().slice(0, SLUG);
  return `grade-${slug.replace(/[^a-z0-9]+/g, "-")}-${hash.digest("hex").slice(0, 6)}`;
}
