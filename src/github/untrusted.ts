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

/** Events that only people with write access, or GitHub itself, can trigger. */
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
 * True unless the event shows the contrary: a comment does not name the author of the commit it asks to run, and
 * Dependabot brings in third-party code. Outside GitHub there is no event, and people choose what they run.
 */
export function isUntrusted(name: string, event: Event, { actor, repository }: Surroundings): boolean {
  const { pull_request: pull, workflow_run: cause } = event;
  if ([actor, pull?.user?.login, cause?.actor?.login].includes(DEPENDABOT)) return true;
  if (name.startsWith("pull_request")) return isPullOfFork(event);
  if (name === "workflow_run") return !isOwn(cause?.head_repository?.full_name, repository);
  return name !== "" && !BY_WRITERS.has(name);
}

/** True also when the event does not name the head repository: a fork may be deleted. */
function isPullOfFork({ pull_request: pull }: Event): boolean {
  const [from, to] = [pull?.head?.repo?.full_name, pull?.base?.repo?.full_name];
  return !from || from !== to;
}

function isOwn(from: string | undefined, own: Repository | undefined): boolean {
  return own !== undefined && from === `${own.owner}/${own.repo}`;
}
