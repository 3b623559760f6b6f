/** The input `openai-identity`, and the token of GitHub's that proves to OpenAI which job this is. */
import * as core from "@actions/core";
import type { Problem } from "../domain/place.ts";
import { OPENAI } from "../judge/api/endpoint.ts";
import type { Identity } from "../judge/api/endpoint.ts";
import { error, warning } from "../text/problem.ts";

/** The audience of OpenAI's guide, "Configuring workload identity federation for GitHub Actions". */
const AUDIENCE = "https://api.openai.com/v1";

/** Reads the input; undefined when it is not set, or bad, which is a problem. */
export function readIdentity(
  value: string,
  env: NodeJS.ProcessEnv,
  problems: Problem[],
): Identity | undefined {
  if (value === "") return undefined;
  const [, identityProviderId, serviceAccountId] = /^([\w.-]+)\/([\w.-]+)$/.exec(value) ?? [];
  if (identityProviderId !== undefined && serviceAccountId !== undefined) {
    // Set for a job with `id-token: write` alone.
    const isPermitted = Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN);
    return { identityProviderId, serviceAccountId, isPermitted };
  }
  const help = "Write both ids, as OpenAI shows them: `<identity provider id>/<service account id>`.";
  problems.push(error(`The input \`openai-identity\` is \`${value}\`.`, { help }));
  return undefined;
}

/** The input is set, and something else decides how the judge is reached. */
export function idleIdentity(reason: string): Problem {
  const help = "Leave out `openai-identity`, or what makes it needless.";
  return warning(`The input \`openai-identity\` is not used, because ${reason}.`, { help });
}

/** The problem of an identity whose token would be sent without TLS. */
export function withoutTls(identity: Identity | undefined, address = ""): Problem[] {
  if (!identity || !/^http:/i.test(address)) return [];
  const message = `The input \`base-url\` is \`${address}\`, and \`openai-identity\` sends its token by TLS only.`;
  return [error(message, { help: `Write \`https\` there, or leave it out: it is \`${OPENAI}\` then.` })];
}

/** Asks GitHub for a token of this job that OpenAI takes; it lives for some minutes. */
export async function subjectToken(): Promise<string> {
  return await core.getIDToken(AUDIENCE);
}
