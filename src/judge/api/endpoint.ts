/** Where a judge is asked: an endpoint's address, key and ways. */

/** OpenAI's own address: where judges are asked unless told otherwise. */
export const OPENAI = "https://api.openai.com/v1";

/** What is added to the root of an API, by which a judge is asked. */
export const ROUTE = /\/(chat\/completions|responses)\/?$/;

/** What is wrong with an address. */
interface AddressFault {
  /** The route at its end that is to be left out. */
  readonly route?: string | undefined;
  /** The keys of a rule of `providers` that a full address of Azure OpenAI comes to. */
  readonly azure?: string | undefined;
}

/** What keeps an address from being the root of an API; undefined for a root. */
export function addressFault(address: string): AddressFault | undefined {
  const url = URL.parse(address);
  const version = url?.searchParams.get("api-version");
  const [, root, deployment] = /^(\S*?\/openai)\/deployments\/([\w.-]+)/.exec(url?.pathname ?? "") ?? [];
  if (url && root !== undefined && version && /^[\w.-]+$/.test(version))
    return {
      azure: `base-url: ${url.origin}${root}, api-version: "${version}", deployment: ${deployment ?? ""}`,
    };
  if (!url || !/^https?:$/.test(url.protocol) || /[@?#]/.test(address)) return {};
  const [, route] = ROUTE.exec(url.pathname) ?? [];
  return route === undefined ? undefined : { route };
}

/** OpenAI's workload identity, in place of a key: ids of a provider and of a service account, neither a secret. */
export interface Identity {
  readonly identityProviderId: string;
  readonly serviceAccountId: string;
  /** GitHub gives this job identity tokens. */
  readonly isPermitted: boolean;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly identity?: Identity | undefined;
  /** It needs a key, and there is none: a secret that is empty, or that this event does not get. */
  readonly keyMissing?: true | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The name of the model there; absent when it is the one that was asked for. */
  readonly model?: string | undefined;
  readonly api?: "chat" | "responses" | undefined;
  /** Azure OpenAI: the version of its API, and the deployment where it is not named like the model. */
  readonly azure?: { readonly apiVersion: string; readonly deployment?: string | undefined } | undefined;
  /** The input to change when the key or the address is refused. */
  readonly input?: string | undefined;
}
