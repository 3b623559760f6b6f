/** The one remover of what a terminal obeys; Node's own takes quadratic time on a code without an end. */

// eslint-disable-next-line no-control-regex -- to find them is its purpose
const TERMINAL = /\u001B\](?:[^\u0007\u001B\n]*(?:\u0007|\u001B\\))?|[\u001B\u009B]\[?[0-?]*[ -/]*[@-~]?/g;

/** Text without the codes that a terminal obeys. Each alternative is tried once at each escape character. */
export function withoutTerminalCodes(text: string): string {
  return text.replace(TERMINAL, "");
}
