/** What a judge's calls report: checks noted, readings answered, misspelled names kept in mind. */
import type { Check } from "../domain.ts";
import { shorten } from "../format.ts";
import { detailOf, holdsWrittenFailure, toCheck, unclearCall } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { JudgeRequest } from "./judge.ts";
import type { Call, Turn } from "./wire.ts";

/** A call that named neither tool as it should. */
export interface Unclear {
  readonly name: string;
  readonly meant: Check["outcome"] | "unknown";
  /** What it said of its check. */
  readonly detail?: string | undefined;
}

/** What a conversation has reported so far. */
export interface Reported {
  readonly request: JudgeRequest;
  readonly signal: AbortSignal;
  readonly turns: Turn[];
  readonly checks: Check[];
  /** Calls that named neither tool as they should, until the judge makes them again. */
  readonly unclear: Unclear[];
}

/** Notes what a reply reports and answers every call in it. */
export async function record(
  reported: Reported,
  {
    calls,
    text,
    inJson,
  }: { readonly calls: readonly Call[]; readonly text: string; readonly inJson: boolean },
  redact: (text: string) => string,
): Promise<void> {
  const { request, signal, checks, turns } = reported;
  const before = reported.unclear;
  const now: Unclear[] = [];
  for (const call of calls) {
    const check = toCheck(call.name, call.arguments, redact);
    const detail = detailOf(call.arguments);
    if (check) {
      checks.push(check);
      // The judge was told the names after an earlier reply: this may be the call it meant.
      const again = before.findIndex((one) => isAgain(one, check.outcome, detail));
      if (again >= 0) before.splice(again, 1);
    }
    const answered = check ? undefined : await request.files?.answer(call, signal);
    const meant = answered === undefined ? unclearCall(call.name, call.arguments) : undefined;
    if (meant) now.push({ name: redact(call.name), meant, detail });
    const content = answered ?? acknowledgement(call.name, check);
    if (!inJson) turns.push({ kind: "result", id: call.id, content });
  }
  // Beside calls of its own: a reply that makes none is reminded of how to make them.
  if (
    !inJson &&
    checks.length > 0 &&
    checks.every(({ outcome }) => outcome === "pass") &&
    holdsWrittenFailure(text)
  )
    now.push({ name: "set_waza_grade_fail, in its text", meant: "fail" });
  before.push(...now);
}

/** True when a check may be what an unclear call meant. One that may have been a failure is not made good by any pass. */
function isAgain({ meant, detail }: Unclear, outcome: Check["outcome"], said: string | undefined): boolean {
  if (meant !== "unknown") return meant === outcome;
  return outcome === "fail" || detail === undefined || detail === said;
}

/**
 * It may have been a failure. Beside failures it changes little: they stand, marked incomplete. Beside passes alone
 * there is no verdict, which a misspelled name must not make a pass of.
 */
export function misspelled({ unclear, checks }: Reported): JudgeError {
  const [{ name } = { name: "" }] = unclear;
  if (checks.every(({ outcome }) => outcome === "pass")) checks.length = 0;
  const help = "Use another judge model: this one misspells the tools it is given.";
  return new JudgeError(
    "invalid-reply",
    `The judge called ${JSON.stringify(shorten(name, 100))}, which is neither of its tools.`,
    { help },
  );
}

function acknowledgement(name: string, check: Check | undefined): string {
  if (check) return "Recorded.";
  return `There is no tool called ${JSON.stringify(name.slice(0, 64))}. Report by set_waza_grade_pass and set_waza_grade_fail.`;
}
