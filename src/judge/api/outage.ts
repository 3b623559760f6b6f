/** A model that fails for every grade: one grade at a time tries on, and after several in a row no more are sent. */
import type { ErrorClass } from "../../domain/grade.ts";
import { JudgeError } from "../judge.ts";
import { pace } from "./pace.ts";

/** Grades in a row that failed alike with all their attempts, each begun after the one before: half a minute or so. */
const IN_A_ROW = 6;
/** Errors of the endpoint or the model, not of the grade. */
const FAULTS: ReadonlySet<ErrorClass> = new Set(["server", "network", "invalid-reply"]);

/** Sends a grade's request with all its attempts, or throws the last error where more would be of no use. */
export type DuringOutage = <T>(send: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Makes the watch over one model, which is sent at most so many requests at once. */
export function outageWatch(most: number): DuringOutage {
  const turns = pace(most);
  let failed = 0;
  let last: JudgeError | undefined;
  const sendWatched = async <T>(send: () => Promise<T>): Promise<T> => {
    if (last && failed >= IN_A_ROW) throw notAsked(last);
    const begun = failed;
    try {
      const sent = await send();
      failed = 0;
      turns.allow(most);
      return sent;
    } catch (error) {
      if (!(error instanceof JudgeError) || !FAULTS.has(error.class)) throw error;
      // Of those that were sent at the same time one counts: a short outage fails all of them.
      if (failed === begun) failed = error.class === last?.class ? failed + 1 : 1;
      last = error;
      turns.allow(1);
      throw error;
    }
  };
  return (send, signal) => turns.run(() => sendWatched(send), signal);
}

function notAsked({ class: errorClass, message, help = "" }: JudgeError): JudgeError {
  return new JudgeError(errorClass, `Not asked: ${message}`, {
    help: `${String(IN_A_ROW)} grades in a row failed like this, so the rest was not sent. ${help}`.trim(),
  });
}
