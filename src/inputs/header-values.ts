/** The values of headers: which are secret, and which cannot be sent. */

/** Header names with a secret value have such a part. Other values are not masked, since they may be ordinary words. */
const SECRET_NAME = /(?:^|[-_])(?:api-?key|key|token|secret|auth|authorization|cookie|password)(?:[-_]|$)/i;

/** True for a header whose value is masked and redacted. */
export function isSecretHeader(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A secret as it may be quoted: as it is, trimmed, and without the scheme of an authorization. */
export function quotable(secret: string): string[] {
  const trimmed = secret.trim();
  return [...new Set([secret, trimmed, trimmed.replace(/^(?:Bearer|Basic|Token|Key) +/i, "")])];
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
