/** The inputs `providers` and `openai-identity`: the endpoints of models, with their keys and headers. */
import * as core from "@actions/core";
import { parseDocument } from "yaml";
import * as z from "zod/mini";
import { error, warning, type Problem } from "../domain/problem.ts";
import { type Endpoint, type Identity, OPENAI, addressFault } from "../judge/api/wire.ts";
import { asSentence, shorten, withoutEnd } from "../text/format.ts";
import { closest, globMatchesModel } from "../text/suggest.ts";

/** A rule: models that match the glob use the endpoint. */
export interface Provider {
  readonly match: string;
  readonly endpoint: Endpoint;
}

/**
 * Reads the list. Errors name an entry's number and key, never its value, which may be a secret. `secrets` are all API keys
 * and header values to redact, including those of invalid entries. A rule with just `match` and `model` uses `standard`,
 * the endpoint of models that match no rule.
 */
export function readProviders(value: string, standard: Endpoint = { baseUrl: "" }) {
  const problems: Problem[] = [];
  const refuse = (what: string, help = A_LIST) => {
    problems.push(error("wrong-providers", asSentence(`The input \`providers\` ${what}`), { help }));
    return [];
  };
  const data = rulesIn(value);
  const rules = typeof data === "string" ? refuse(data) : data;
  const providers = rules.flatMap((given, index): readonly Provider[] => {
    const rule = ruleOf(given, standard);
    if (typeof rule !== "string") return [rule];
    return refuse(`has a mistake in entry ${String(index + 1)}: ${rule}`, "Correct that entry.");
  });
  return { providers, problems, secrets: rules.flatMap(secretsOfRule) };
}

const A_LIST = 'Write a list: `- {match: "claude-*", base-url: https://…/v1, api-key: ${{ secrets.… }}}`.';
const QUOTE = "quote a value that begins with `*`";

/** The list; as text, what it is instead: of a YAML error its location (the library's message quotes values, which may be secret). */
function rulesIn(value: string): readonly unknown[] | string {
  if (value.trim() === "") return [];
  // Every scalar is text: a key such as `0123` or `true` would otherwise change.
  const document = parseDocument(value, { schema: "failsafe", logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const [start] = error.linePos ?? [];
    const quote = error.code === "BAD_ALIAS" ? ` (${QUOTE})` : "";
    return `is not valid YAML: ${error.code.toLowerCase().replaceAll("_", " ")} in line ${String(start?.line ?? 1)}, column ${String(start?.col ?? 1)}${quote}`;
  }
  try {
    const data: unknown = document.toJS();
    return Array.isArray(data) ? data : "is not a list";
  } catch {
    return `is not valid YAML: an alias without its anchor (${QUOTE})`;
  }
}

const text = z.string("expected text");

/** All texts in `api-key`, and all in `headers` except short plain words. */
function secretsOfRule(rule: unknown): string[] {
  const { "api-key": key, headers } = Object(rule) as { "api-key"?: unknown; headers?: unknown };
  const values = textsIn(headers).flatMap(headerParts).filter(isSecretValue);
  const keys = textsIn(key).filter((text) => keyIn(text) !== "");
  return [...new Set([...keys.flatMap(quotable), ...values])];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A header's value, its parts of 8 characters, and of `Basic` the password within. */
function headerParts(value: string): string[] {
  const parts = value.split(/[\s;=,"{}:]+/).filter(({ length }) => length >= LEAST_PART);
  const [, encoded] = /^\s*Basic\s+(\S+)/i.exec(value) ?? [];
  const decoded = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const password = decoded.slice(decoded.indexOf(":") + 1);
  return [...quotable(value), ...parts, ...(password === "" ? [] : [password])];
}

/** Characters: a shorter part of a header would be found in ordinary text. */
const LEAST_PART = 8;

/** The forms in which a secret may be quoted: unchanged, trimmed, and without an authorization scheme. */
export function quotable(secret: string): string[] {
  const trimmed = secret.trim();
  return [...new Set([secret, trimmed, trimmed.replace(/^(?:Bearer|Basic|Token|Key) +/i, "")])];
}

/** Words and numbers of fewer than 8 characters (`evals`, `true`, `1`): masking them would make the log unreadable. */
const PLAIN_WORD = /^(?:[a-z]{0,7}|\d{0,7})$/i;

/** Whether a header's value is redacted: any except a short plain word. */
export function isSecretValue(value: string): boolean {
  return !PLAIN_WORD.test(value.trim());
}

/** `~` and `null` are YAML's null, not keys. */
function keyIn(text: string): string {
  return text.trim().replace(/^(?:~|null)$/, "");
}

const entry = z.strictObject(
  {
    match: z.string("expected `match`, a glob of model names"),
    "base-url": z.optional(text),
    "api-key": z.optional(text),
    headers: z.optional(z.record(z.string(), text, "expected names and values")),
    model: z.optional(text),
    api: z.optional(z.enum(["chat", "responses"], "expected `chat` or `responses`")),
    "api-version": z.optional(text),
    deployment: z.optional(text),
  },
  "expected a mapping with `match`, and `base-url` or `model`",
);

/** The rule of an entry, or what is wrong with it. */
function ruleOf(given: unknown, standard: Endpoint): Provider | string {
  const parsed = z.safeParse(entry, given);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return issueOf(issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]);
  }
  const { data } = parsed;
  const fault = badAddress(data) ?? badDeployment(data) ?? badHeader(data);
  return fault ?? { match: data.match, endpoint: endpointOf(data, standard) };
}

function issueOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const meant = closest(key, Object.keys(entry.shape));
    return `unknown key \`${key.slice(0, 100)}\`${meant === undefined ? "" : ` (did you mean \`${meant}\`?)`}`;
  }
  const [key] = issue?.path ?? [];
  const message = issue?.message ?? "unreadable";
  return typeof key === "string" && !message.includes(key) ? `${message} for \`${key}\`` : message;
}

function badAddress({
  "base-url": address,
  match: _,
  model,
  ...rest
}: z.infer<typeof entry>): string | undefined {
  if (address === undefined) {
    const isShort = model !== undefined && Object.keys(rest).length === 0;
    return isShort
      ? undefined
      : "`base-url` is missing; only a rule with just `match` and `model` may omit it";
  }
  const wrong = addressFault(address);
  if (!wrong) return undefined;
  if (wrong.azure !== undefined)
    return `\`base-url\` is the full address of an Azure deployment: write \`${wrong.azure}\``;
  return wrong.route === undefined
    ? "`base-url` is not the root of an API, such as `https://api.openai.com/v1`"
    : `\`base-url\` is the root of an API: leave out \`/${wrong.route}\` at its end`;
}

/** A deployment is only part of addresses with a version; for Azure's `/openai/v1` it is the model's name. */
function badDeployment(rule: z.infer<typeof entry>): string | undefined {
  return rule.deployment !== undefined && rule["api-version"] === undefined
    ? "`deployment` without `api-version`; for Azure's `/openai/v1`, write `model` instead"
    : undefined;
}

function badHeader(rule: z.infer<typeof entry>): string | undefined {
  const key = keyIn(rule["api-key"] ?? "");
  if (isNameOfSecret(key))
    return "`api-key` holds the name of a secret, not its value: write `${{ secrets.NAME }}` in the workflow file";
  const wrong = unsendable(key);
  if (wrong !== undefined) return `\`api-key\` contains ${wrong}, which a header cannot contain`;
  for (const [name, value] of Object.entries(rule.headers ?? {})) {
    const code = `\`${shorten(name, 60)}\``;
    if (!isHeaderName(name)) return `${code} in \`headers\` is not a valid header name`;
    if (value.trim() === "") return `the header ${code} is empty`;
    const fault = unsendable(value);
    if (fault !== undefined) return `the header ${code} contains ${fault}, which a header cannot contain`;
  }
  return undefined;
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

function endpointOf(rule: z.infer<typeof entry>, standard: Endpoint): Endpoint {
  const { headers, model, api, deployment, "base-url": baseUrl } = rule;
  if (baseUrl === undefined) return { ...standard, model };
  const version = rule["api-version"];
  const key = rule["api-key"] === undefined ? undefined : keyIn(rule["api-key"]);
  return {
    baseUrl: withoutEnd(baseUrl, "/"),
    input: "providers",
    apiKey: key || undefined,
    keyMissing: key === "" || undefined,
    headers,
    model: model || undefined,
    api: api || undefined,
    azure: version ? { apiVersion: version, deployment: deployment || undefined } : undefined,
  };
}

/** The endpoint of the first rule that a model matches. */
export function routeModel(providers: readonly Provider[], model: string): Endpoint | undefined {
  return providers.find(({ match }) => globMatchesModel(match, model))?.endpoint;
}

/** Reads the input; undefined if it is not set or invalid. */
export function readIdentity(
  value: string,
  env: NodeJS.ProcessEnv,
  problems: Problem[],
): Identity | undefined {
  if (value === "") return undefined;
  const [, identityProviderId, serviceAccountId] = /^([\w.-]+)\/([\w.-]+)$/.exec(value) ?? [];
  if (identityProviderId !== undefined && serviceAccountId !== undefined) {
    // Set only for a job with `id-token: write`.
    const isPermitted = Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN);
    return { identityProviderId, serviceAccountId, isPermitted };
  }
  const message = `The input \`openai-identity\` is \`${value}\`, which is not two ids separated by \`/\`.`;
  const help = "Write both ids, as OpenAI shows them: `<identity provider id>/<service account id>`.";
  problems.push(error("wrong-identity", message, { help }));
  return undefined;
}

/** What is wrong with an identity that is set: a key or another address is in its place, or the address is without TLS. */
export function identityProblems(
  address: string,
  { needsKey, isKeyless }: { readonly needsKey: boolean; readonly isKeyless: boolean },
): Problem[] {
  if (!isKeyless) {
    const reason = needsKey ? "there is a key for OpenAI" : `\`${address}\` is not OpenAI's`;
    const message = `The input \`openai-identity\` is not used, because ${reason}.`;
    const help = "Remove `openai-identity`, or the setting that overrides it.";
    return [warning("unused-identity", message, { help })];
  }
  if (!/^http:/i.test(address)) return [];
  const message = `The input \`base-url\` is \`${address}\`, but \`openai-identity\` sends its token over TLS only.`;
  const help = `Use \`https\`, or remove \`base-url\`: the default is \`${OPENAI}\`.`;
  return [error("no-tls", message, { help })];
}

/** The audience of OpenAI's guide, "Configuring workload identity federation for GitHub Actions". */
const AUDIENCE = "https://api.openai.com/v1";

/** Requests this job's identity token for OpenAI from GitHub; it is valid for some minutes. */
export async function subjectToken(): Promise<string> {
  return await core.getIDToken(AUDIENCE);
}
