/** The secrets of an environment: what `run` and grading take out of their lines, and of all that is written. */
import { SHORTEST_SECRET } from "./limits.ts";

/** Variables that hold a secret, by their names; inputs are words, but for the token and the key. */
const NAMED = /^(?!INPUT_).*(?:KEY|TOKEN|SECRET|PASSWORD)|^INPUT_(?:TOKEN|API-KEY)$/i;
/** Variables that may hold one, by a part of their names between `_`, unless they name a path, as `SSH_AUTH_SOCK` does. */
const PART = /^(?!INPUT_)(?:.*_)?(?:PASS|PASSWD|PWD|CRED|CREDENTIALS|AUTH|PAT|DSN|COOKIE|JWT)(?:_|$)/i;
const PATH = /^(?:~|\.{0,2})\/|^[A-Z]:\\/i;
/** The password of an address, wherever it stands. */
const IN_ADDRESS = /:\/\/[^\s:/?#@"'<>\\]{0,256}:([^\s/?#@"'<>\\]{1,512})@/g;

/** The secrets in an environment: an agent can read its own, and that of the process that started it. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const found = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(NAMED.test(name) || (PART.test(name) && !PATH.test(value)) ? wholeAndLines(value) : []),
    ...[...value.matchAll(IN_ADDRESS)].flatMap(([, password = ""]) => [password, percentDecoded(password)]),
  ]);
  return [...new Set(found.filter((one) => one.length >= SHORTEST_SECRET))];
}

/** A value of several lines, such as a private key, is printed line by line, too. */
function wholeAndLines(value: string): string[] {
  return [value, ...value.split("\n")].map((one) => one.trim());
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
