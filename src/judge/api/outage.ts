/** Outage guard of one model: after a failure one grade at a time is sent, and after several in a row no more. */
import type { ErrorClass } from "../../domain/grade.ts";
import { JudgeError } from "../judge.ts";
import { concurrencyLimiter } from "./concurrency-limiter.ts";

/** Consecutive grades that failed with the same class, each started after the one before: about half a minute. */
const IN_A_ROW = 6;
/** Errors of the endpoint or the model, not of the grade. */
const FAULTS: ReadonlySet<ErrorClass> = new Set(["server", "network", "invalid-reply"]);

/** Sends a grade's request with all its attempts, or throws the last error if the model is considered down. */
export type OutageGuard = <T>(send: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Makes the guard of one model, with at most `most` concurrent requests. */
export function guardOutages(most: number): OutageGuard {
  const limiter = concurrencyLimiter(most);
  let failed = 0;
  let last: JudgeError | undefined;
  const sendGuarded = async <T>(send: () => Promise<T>): Promise<T> => {
    if (last && failed >= IN_A_ROW) throw notSent(last);
    const failedBefore = failed;
    try {
      const result = await send();
      failed = 0;
      limiter.allow(most);
      return result;
    } catch (error) {
      if (!(error instanceof JudgeError) || !FAULTS.has(error.class)) throw error;
      // Concurrent failures count once: a short outage fails all of them.
      if (failed === failedBefore) failed = error.class === last?.class ? failed + 1 : 1;
      last = error;
      limiter.allow(1);
      throw error;
    }
  };
  return (send, signal) => limiter.run(() => sendGuarded(send), signal);
}

function notSent({ class: errorClass, message, help = "" }: JudgeError): JudgeError {
  return new JudgeError(errorClass, `Not sent: ${message}`, {
    help: `${String(IN_A_ROW)} grades in a row failed like this, so the rest were not sent. ${help}`.trim(),
  });
}
