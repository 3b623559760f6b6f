/** The input `openai-identity`, and GitHub's identity token for it. */
import * as core from "@actions/core";
import type { Problem } from "../domain/location.ts";
import { OPENAI } from "../judge/api/endpoint.ts";
import type { Identity } from "../judge/api/endpoint.ts";
import { error, warning } from "../text/problem.ts";

/** The audience of OpenAI's guide, "Configuring workload identity federation for GitHub Actions". */
const AUDIENCE = "https://api.openai.com/v1";

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
  const help = "Write both ids, as OpenAI shows them: `<identity provider id>/<service account id>`.";
  problems.push(
    error(`The input \`openai-identity\` is \`${value}\`, which is not two ids separated by \`/\`.`, {
      help,
    }),
  );
  return undefined;
}

/** The warning for an identity that is set, but not used. */
export function unusedIdentity(reason: string): Problem {
  const help = "Remove `openai-identity`, or the setting that overrides it.";
  return warning(`The input \`openai-identity\` is not used, because ${reason}.`, { help });
}

/** The error for an identity at an address without TLS. */
export function withoutTls(identity: Identity | undefined, address = ""): Problem[] {
  if (!identity || !/^http:/i.test(address)) return [];
  const message = `The input \`base-url\` is \`${address}\`, but \`openai-identity\` sends its token over TLS only.`;
  return [error(message, { help: `Use \`https\`, or remove \`base-url\`: the default is \`${OPENAI}\`.` })];
}

/** Requests this job's identity token for OpenAI from GitHub; it is valid for some minutes. */
export async function subjectToken(): Promise<string> {
  return await core.getIDToken(AUDIENCE);
}
