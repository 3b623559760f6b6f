/** GitHub's issuer of identity tokens and OpenAI's exchange of them, on 127.0.0.1, which refuse what the two document. */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { join } from "node:path";
import { bodyOf, listen, sendJson, type Loopback } from "./http.ts";

const AUDIENCE = "https://api.openai.com/v1";
const ISSUER = "https://token.actions.githubusercontent.com";
const SUBJECT = "repo:octo/agents:pull_request";
const REQUEST_TOKEN = "runner-request-token-0123456789";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

export interface IdentityServers {
  /** What GitHub gives a job with `id-token: write`. */
  readonly env: Readonly<Record<string, string>>;
  readonly exchange: Loopback;
  /** GitHub's tokens and OpenAI's, in their order. */
  readonly subjects: string[];
  readonly tokens: string[];
  readonly close: () => Promise<void>;
}

export interface IdentityOptions {
  /** What OpenAI's side expects of GitHub's tokens, where that is not what they hold. */
  readonly expects?: { readonly aud?: string; readonly sub?: string };
  /** The exchange never answers. */
  readonly hangs?: boolean;
  /** Seconds that GitHub's tokens live. */
  readonly lives?: number;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Starts both. The exchange knows the provider `idp_1` and its account `sa_1`. */
export async function startIdentity({
  expects,
  hangs,
  lives = 300,
}: IdentityOptions): Promise<IdentityServers> {
  const subjects: string[] = [];
  const tokens: string[] = [];
  const issuer = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    if (request.headers.authorization !== `Bearer ${REQUEST_TOKEN}`) sendJson(response, 401, {});
    else {
      const iat = Math.floor(Date.now() / 1_000);
      const claims = { iss: ISSUER, aud: searchParams.get("audience"), sub: SUBJECT, iat, exp: iat + lives };
      const text = `${base64({ alg: "ES256", kid: "1", typ: "JWT" })}.${base64({ ...claims, jti: randomUUID() })}`;
      subjects.push(`${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`);
      sendJson(response, 200, { value: subjects.at(-1) });
    }
    return Promise.resolve();
  });
  const exchange = await listen(async (request, response) => {
    const asked = JSON.parse(await bodyOf(request)) as Record<string, string>;
    if (hangs) return;
    const wrong = refusal(asked, { aud: AUDIENCE, sub: SUBJECT, ...expects });
    if (request.url !== "/oauth/token" || wrong !== undefined) {
      sendJson(response, 401, { error: "invalid_grant", error_description: wrong ?? "no such address" });
      return;
    }
    tokens.push(`openai-access-${randomUUID()}`);
    const issued_token_type = "urn:ietf:params:oauth:token-type:access_token";
    sendJson(response, 200, {
      access_token: tokens.at(-1),
      issued_token_type,
      token_type: "Bearer",
      expires_in: lives,
    });
  });
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
  };
  const close = async () => {
    await Promise.all([issuer.close(), exchange.close()]);
  };
  return { env, exchange, subjects, tokens, close };
}

/** What is wrong with a request of the exchange. */
function refusal(
  asked: Record<string, string>,
  { aud, sub }: { readonly aud: string; readonly sub: string },
): string | undefined {
  const [header = "", payload = "", signature = ""] = asked.subject_token?.split(".") ?? [];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (asked.grant_type !== "urn:ietf:params:oauth:grant-type:token-exchange") return "grant_type";
  if (asked.subject_token_type !== "urn:ietf:params:oauth:token-type:jwt") return "subject_token_type";
  if (asked.identity_provider_id !== "idp_1" || asked.service_account_id !== "sa_1") return "no such account";
  if (!isSigned || claims.iss !== ISSUER) return "the token is not of the issuer";
  if (claims.aud !== aud) return "the audience does not match";
  if (Number(claims.exp) * 1_000 <= Date.now()) return "the token has expired";
  // A refusal may quote what it refuses.
  return claims.sub === sub ? undefined : `no mapping for ${asked.subject_token ?? ""}`;
}

/** Makes a certificate authority that is its own one certificate, in a folder. */
export function certificateFor(
  folder: string,
  hosts: readonly string[],
): { key: string; certificate: string } {
  const made = { key: join(folder, "key.pem"), certificate: join(folder, "certificate.pem") };
  const names = hosts.map((host) => `DNS:${host}`).join(",");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const subject = ["-subj", "/CN=a test's own", "-addext", `subjectAltName=${names}`];
  const files = ["-keyout", made.key, "-out", made.certificate];
  execFileSync("openssl", ["req", "-x509", "-days", "1", ...curve, ...subject, ...files], {
    stdio: "ignore",
  });
  return made;
}
