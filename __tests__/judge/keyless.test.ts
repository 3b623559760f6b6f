/** OpenAI's token exchange: how often it is requested, and its errors. */
import type { ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import { clientsOf, isHttpError, poster } from "../../src/judge/api/client.ts";
import { httpError } from "../../src/judge/api/errors.ts";
import { judgeFetch } from "../../src/judge/api/client.ts";
import type { JudgeFetch } from "../../src/judge/api/client.ts";
import { bodyOf, listen, sendJson } from "../support/http.ts";
import { pass } from "../support/judge-server.ts";
import { closeLater, closeServers, request, serve } from "./judging.ts";

closeServers();

const EXCHANGE = "https://auth.openai.com";

/** Asks a judge the given number of times, by an identity with this exchange. */
async function keyless(answer: (response: ServerResponse) => void, times = 1) {
  const judge = await serve(() => ({ calls: [pass("a")] }));
  let exchanges = 0;
  const exchange = await listen(async (incoming, response) => {
    await bodyOf(incoming);
    exchanges += 1;
    answer(response);
  });
  closeLater(exchange.close);
  const direct = judgeFetch(5);
  const fetch: JudgeFetch = (url, init) => direct(url.replace(EXCHANGE, exchange.url), init);
  const tokens = { subject: () => Promise.resolve("subject"), addSecret: () => undefined };
  const identity = { identityProviderId: "idp_1", serviceAccountId: "sa_1", isPermitted: true };
  const endpoint = { baseUrl: judge.url, identity };
  const post = poster(clientsOf(fetch, tokens));
  const { model, messages } = request();
  const ask = () => post(endpoint, { api: "chat", body: { model, messages } }, new AbortController().signal);
  const ends = await Promise.allSettled(Array.from({ length: times }, ask));
  return { judge, endpoint, exchanges: () => exchanges, ends };
}

test("is asked once for many requests", async () => {
  const { judge, exchanges, ends } = await keyless((response) => {
    sendJson(response, 200, { access_token: "token-1", expires_in: 300 });
  }, 5);
  expect(ends.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
  expect(judge.asked.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill("Bearer token-1"));
  expect(exchanges()).toBe(1);
});

const page = (response: ServerResponse) => response.end("<html>Sign in</html>");
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    page(response.writeHead(code, headers));
  };

test.each<[string, (response: ServerResponse) => void, string, RegExp]>([
  ["a refusal", status(401), "credentials", /^OpenAI's token exchange refused a token.* 401/],
  ["a redirect", status(302, { location: "https://evil.example/v1" }), "credentials", /exchange.* 302 to/],
  ["an address that is not there", status(404), "credentials", /token exchange refused a token.* 404/],
  ["a fault", status(503), "server", /^OpenAI's token exchange failed: 503/],
  ["a login page", page, "credentials", /token exchange at `https:.*` answered 200 without a token/],
  ["no answer", (response) => response.destroy(), "network", /token exchange at `https:.*` could not/],
])("that gives %s is an error of the exchange, not of the judge", async (_name, answer, errorClass, says) => {
  const { judge, endpoint, ends } = await keyless(answer);
  const thrown = ends[0]?.status === "rejected" ? (ends[0].reason as unknown) : undefined;
  const error = isHttpError(thrown) ? httpError(thrown, { model: "m", redact: String, endpoint }) : thrown;
  expect(error).toMatchObject({ class: errorClass, message: expect.stringMatching(says) });
  expect(JSON.stringify(error)).not.toContain("base-url");
  expect(judge.asked).toHaveLength(0);
});
