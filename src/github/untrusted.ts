/** Whether an untrusted contributor may have written an event's code. Pure. */
import type { Event, Repository } from "./event.ts";

const DEPENDABOT = "dependabot[bot]";

/** Pull requests of forks and of Dependabot run without secrets (but for pull_request_target). */
export function secretless(
  name: string,
  event: Event,
  actor: string | undefined,
): "fork" | "dependabot" | undefined {
  const pull = event.pull_request;
  if (!pull || name === "pull_request_target") return undefined;
  if (actor === DEPENDABOT || pull.user?.login === DEPENDABOT) return "dependabot";
  return isPullOfFork(event) ? "fork" : undefined;
}

/** Events that only those who can write to the repository cause, or GitHub by itself for its own branches. */
const BY_WRITERS = new Set([
  ...["push", "schedule", "workflow_dispatch", "repository_dispatch", "merge_group"],
  ...["release", "create", "delete", "deployment"],
]);

/** The actor and repository of an event. */
interface Surroundings {
  readonly actor: string | undefined;
  readonly repository: Repository | undefined;
}

/**
 * True unless the event says otherwise: a comment does not tell whose the commit is that it asks to run, and Dependabot
 * brings in the code of others. Outside GitHub there is no event, and people run what they chose to.
 */
export function isUntrusted(name: string, event: Event, { actor, repository }: Surroundings): boolean {
  const { pull_request: pull, workflow_run: cause } = event;
  if ([actor, pull?.user?.login, cause?.actor?.login].includes(DEPENDABOT)) return true;
  if (name.startsWith("pull_request")) return isPullOfFork(event);
  if (name === "workflow_run") return !isOwn(cause?.head_repository?.full_name, repository);
  return name !== "" && !BY_WRITERS.has(name);
}

/** True also where the event does not say whose the commit is: a fork may be deleted. */
function isPullOfFork({ pull_request: pull }: Event): boolean {
  const [from, to] = [pull?.head?.repo?.full_name, pull?.base?.repo?.full_name];
  return !from || from !== to;
}

function isOwn(from: string | null | undefined, own: Repository | undefined): boolean {
  return own !== undefined && from === `${own.owner}/${own.repo}`;
}
