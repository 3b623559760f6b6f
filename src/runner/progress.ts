/** What is said while runs are made: on a terminal one line that moves each second, elsewhere a line at each start and end. */
import { count } from "../text/format.ts";
import type { Call, Progress } from "./making.ts";
import type { PlannedRun } from "../plan/runs.ts";
import { runLine, runName } from "./run-lines.ts";

/** A run under way. */
interface Active {
  readonly began: number;
  calls: number;
}

export function startProgress({ planned, line, status }: Call): Progress {
  const active = new Map<PlannedRun, Active>();
  let ended = 0;
  const show = () => {
    const [oldest, ...others] = active;
    if (!oldest) return;
    const [run, { began, calls }] = oldest;
    const seconds = Math.round((performance.now() - began) / 1_000);
    const more = others.length > 0 ? ` · ${String(others.length)} more at work` : "";
    status?.(
      `${String(ended + 1)} of ${String(planned.length)} · ${runName(run)} · ${String(seconds)} s · ${count(calls, "call")}${more}`,
    );
  };
  const timer = status && setInterval(show, 1_000);
  return {
    begin: (run) => {
      const its: Active = { began: performance.now(), calls: 0 };
      active.set(run, its);
      if (!status) {
        line(`… ${runName(run)} begins`);
        return () => undefined;
      }
      show();
      return (calls) => {
        its.calls = calls;
      };
    },
    end: (made) => {
      active.delete(made.run);
      ended += 1;
      line(runLine(made));
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
