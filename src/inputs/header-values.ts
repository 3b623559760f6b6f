/** Keys and the values of headers: which are secret, which cannot be sent, and which only name a secret. */

/** Words and numbers of fewer than 8 characters (`evals`, `true`, `1`), which the log needs unmasked. */
const PLAIN_WORD = /^(?:[a-z]{0,7}|\d{0,7})$/i;

/** True for the value of a header that is masked and redacted: every value except a short plain word. */
export function isSecretValue(value: string): boolean {
  return !PLAIN_WORD.test(value.trim());
}

/** A secret as it may be quoted: as it is, trimmed, and without the scheme of an authorization. */
export function quotable(secret: string): string[] {
  const trimmed = secret.trim();
  return [...new Set([secret, trimmed, trimmed.replace(/^(?:Bearer|Basic|Token|Key) +/i, "")])];
}

/** True for the name of a secret in place of its value: `secrets.KEY`, `$KEY`, `%KEY%`, or an expression as it is written. */
export function isNameOfSecret(value: string): boolean {
  return /^(?:(?:secrets|vars|env)\.\w+|\$\{?[\w:]+\}?|%\w+%)$/.test(value.trim()) || value.includes("${{");
}

/** What a text holds that no header can, in words that quote nothing of it; undefined when it can be sent. */
export function unsendable(value: string): string | undefined {
  if (/[\r\n]/.test(value)) return "a line break";
  // As Node has it (https://nodejs.org/api/http.html#httpvalidateheadervaluename-value).
  const [wrong] = /[^\t\x20-\x7E\x80-\xFF]/.exec(value) ?? [];
  if (wrong === undefined) return undefined;
  return wrong < " " || wrong === "\x7F" ? "a control character" : "a character beyond Latin-1";
}

/** True for what can be the name of a header (RFC 9110, section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}
