/** Where a judge is asked: an endpoint's address, key and ways. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** A key was meant to be here and is empty: a secret that this event does not get. */
  readonly keyMissing?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the model there; absent when it is the one that was asked for. */
  readonly model?: string;
  readonly api?: "chat" | "responses";
  /** Azure OpenAI: the version of its API, and the deployment whose address is used. */
  readonly azure?: { readonly apiVersion: string; readonly deployment?: string };
  /** The input to change when the key or the address is refused. */
  readonly input?: string;
}

/** The address of one of the two APIs at an endpoint. */
export function addressOf({ baseUrl, azure }: Endpoint, api: "chat" | "responses"): string {
  const path = api === "chat" ? "chat/completions" : "responses";
  // Azure's deployments are part of the address for chat completions, and the model of the body for responses.
  const deployment =
    azure?.deployment !== undefined && api === "chat"
      ? `deployments/${encodeURIComponent(azure.deployment)}/`
      : "";
  const query = azure ? `?api-version=${encodeURIComponent(azure.apiVersion)}` : "";
  return `${baseUrl}/${deployment}${path}${query}`;
}

/** The headers of a request: the key where each provider looks for it, and those the user gave. */
export function headersOf({ apiKey, azure, headers }: Endpoint): Record<string, string> {
  if (apiKey === undefined) return { ...headers };
  // An Entra token is a JWT and goes where tokens go; Azure's own keys have a header of their own.
  const isToken = azure && apiKey.startsWith("eyJ");
  return {
    ...(azure && !isToken ? { "api-key": apiKey } : { authorization: `Bearer ${apiKey}` }),
    ...headers,
  };
}
