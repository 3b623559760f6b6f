/** The secrets that an agent could print: what `run` takes out of its lines and of all that it leaves. */
import { SHORTEST_SECRET } from "../safety/limits.ts";

/** Variables that hold a secret, by their names; of inputs the token and the key alone, since the values of others are words. */
const NAMED = /^(?!INPUT_).*(?:KEY|TOKEN|SECRET|PASSWORD)|^INPUT_(?:TOKEN|API-KEY)$/i;

/** The secrets in an environment: an agent can read its own, and that of the process that started it. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) => (NAMED.test(name) ? value.trim() : []));
  return [...new Set(values.filter((value) => value.length >= SHORTEST_SECRET))];
}
