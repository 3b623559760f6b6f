/** Checks of keys and header values: secret, not sendable, or only the name of a secret. */

/** Words and numbers of fewer than 8 characters (`evals`, `true`, `1`): masking them would make the log unreadable. */
const PLAIN_WORD = /^(?:[a-z]{0,7}|\d{0,7})$/i;

/** Whether a header's value is redacted: any except a short plain word. */
export function isSecretValue(value: string): boolean {
  return !PLAIN_WORD.test(value.trim());
}

/** The forms in which a secret may be quoted: unchanged, trimmed, and without an authorization scheme. */
export function quotable(secret: string): string[] {
  const trimmed = secret.trim();
  return [...new Set([secret, trimmed, trimmed.replace(/^(?:Bearer|Basic|Token|Key) +/i, "")])];
}

/** Whether a value is the name of a secret: `secrets.KEY`, `$KEY`, `%KEY%`, or an unevaluated expression. */
export function isNameOfSecret(value: string): boolean {
  return /^(?:(?:secrets|vars|env)\.\w+|\$\{?[\w:]+\}?|%\w+%)$/.test(value.trim()) || value.includes("${{");
}

/** What a header cannot contain, without quoting the value; undefined if it can be sent. */
export function unsendable(value: string): string | undefined {
  if (/[\r\n]/.test(value)) return "a line break";
  // As Node has it (https://nodejs.org/api/http.html#httpvalidateheadervaluename-value).
  const [wrong] = /[^\t\x20-\x7E\x80-\xFF]/.exec(value) ?? [];
  if (wrong === undefined) return undefined;
  return wrong < " " || wrong === "\x7F" ? "a control character" : "a character beyond Latin-1";
}

/** Whether a header can have this name (RFC 9110, section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}
