/** Durations as Go writes them, and the longest that a timer takes. */

/** setTimeout's longest delay, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647;

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration as Go prints it (`1m30s`; hours to milliseconds, no sign); undefined when it is none. */
export function goDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, number, unit = ""]) => sum + Number(number) * (UNITS_MS[unit] ?? 0),
    0,
  );
}
