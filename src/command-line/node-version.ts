/** Checks the version of Node.js. */

/** The oldest version whose `styleText` follows NO_COLOR and pipes; the same as package.json's `engines`. */
const NEEDED = [22, 13] as const;

/** The message for a version (`20.19.1`) that is too old; undefined otherwise. */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needed, least] = NEEDED;
  if (major > needed || (major === needed && minor >= least)) return undefined;
  return `waza-grade needs Node.js ${NEEDED.join(".")} or newer, and this is ${version}: see https://nodejs.org/en/download.`;
}
