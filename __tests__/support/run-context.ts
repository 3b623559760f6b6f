/** The context of a run in octo/agents, as it is read; `more` differs. */
import { type RunContext, readContext } from "../../src/github/context.ts";

export function runContext(more: Partial<RunContext> = {}): RunContext {
  return {
    ...readContext({}, {}),
    repository: { owner: "octo", repo: "agents" },
    job: { workflow: "Evals", job: "grade" },
    attempt: { run: 1, attempt: 1 },
    ...more,
  };
}
