/** Judge endpoint configuration. */

/** OpenAI's address, the default endpoint. */
export const OPENAI = "https://api.openai.com/v1";

/** The route of a request, which is not part of `base-url`. */
export const ROUTE = /\/(chat\/completions|responses)\/?$/;

/** Why an address is not the root of an API. */
interface AddressFault {
  /** The route at its end, to be removed. */
  readonly route?: string | undefined;
  /** The equivalent rule of `providers`, for a full Azure OpenAI address. */
  readonly azure?: string | undefined;
}

/** Checks that an address is the root of an API; undefined if it is. */
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

/** OpenAI's workload identity, in place of a key. Neither id is a secret. */
export interface Identity {
  readonly identityProviderId: string;
  readonly serviceAccountId: string;
  /** Whether this job can request GitHub identity tokens. */
  readonly isPermitted: boolean;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly identity?: Identity | undefined;
  /** Set if its key is empty: a missing secret, or one that this event has no access to. */
  readonly keyMissing?: true | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The model's name at this endpoint, if it differs from the requested one. */
  readonly model?: string | undefined;
  readonly api?: "chat" | "responses" | undefined;
  /** Azure OpenAI: API version, and the deployment if it is not named like the model. */
  readonly azure?: { readonly apiVersion: string; readonly deployment?: string | undefined } | undefined;
  /** The input to name in errors about the key or the address. */
  readonly input?: string | undefined;
}
