/** Durations in Go's format. */

/** setTimeout's longest delay, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647;

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration in Go's format (`1m30s`; units from `h` to `ms`, no sign) or of a number of seconds;
 * undefined if it is neither, or is zero or longer than a timer accepts.
 */
export function parseDuration(text: string): number | undefined {
  const value = text.trim().replace(/^[\d.]+$/, "$&s");
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value)) return undefined;
  const milliseconds = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, number, unit = ""]) => sum + Number(number) * (UNITS_MS[unit] ?? 0),
    0,
  );
  return milliseconds > 0 && milliseconds <= LONGEST_TIMEOUT_MS ? Math.ceil(milliseconds) : undefined;
}
