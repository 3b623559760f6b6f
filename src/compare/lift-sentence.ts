/** The sentence on what a skill is worth. Pure. */
import { count } from "../text/format.ts";
import { oneOf } from "./comparison-sentence.ts";
import type { Lift } from "./lift.ts";

/** `With the skill 88 %, without it 51 % (over 8 tasks with runs of both): +37 points. A difference this large happens by chance in about 1 of 40 comparisons.` */
export function liftSentence({ with: rate, without, points, p, tasks }: Lift): string {
  const percent = (share: number) => `${String(Math.round(100 * share))} %`;
  const rates = `With the skill ${percent(rate)}, without it ${percent(without)}`;
  const basis = `over ${count(tasks.length, "task")} with runs of both`;
  const difference =
    signed(points) === "0"
      ? "no difference"
      : `${signed(points)} points. A difference this large happens by chance in ${oneOf(p)} comparisons`;
  return `${rates} (${basis}): ${difference}.`;
}

/** Points with their sign. */
export function signed(points: number): string {
  const whole = Math.round(points);
  return whole === 0 ? "0" : `${whole > 0 ? "+" : "−"}${String(Math.abs(whole))}`;
}
