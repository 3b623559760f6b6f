/** Helpers for tests of judges: loopback judges that are closed after each test, requests, and errors. */
import { afterEach, expect } from "@jest/globals";
import type { Endpoint } from "../../src/judge/api/wire.ts";
import {
  JudgeError,
  startMeter,
  type Judge,
  type JudgeAnswer,
  type JudgeRequest,
  type Meter,
} from "../../src/judge/judge.ts";
import { openaiJudge } from "../../src/judge/conversation.ts";
import type { SendOptions } from "../../src/judge/api/attempt.ts";
import { startJudge, type Asked, type JudgeServer, type Reply } from "../support/judge-server.ts";

/** Headers of a reply after which the client must not retry. */
export const NO_RETRY = { "x-should-retry": "false" };
/** Headers of a reply after which the client retries at once. */
export const RETRY_NOW = { "retry-after-ms": "1" };

const closers: (() => Promise<void>)[] = [];
const servers: JudgeServer[] = [];

/** Call it once per file. Closes the judges after each test, which fails if OpenAI would have refused one of our requests. */
export function closeServers(): void {
  afterEach(async () => {
    const refused = servers.splice(0).flatMap((server) => server.refused);
    await Promise.all(closers.splice(0).map((close) => close()));
    expect(refused).toEqual([]);
  });
}

export function closeLater(close: () => Promise<void>): void {
  closers.push(close);
}

export async function serve(
  script: (asked: Asked) => Reply | Promise<Reply>,
  options: { readonly root?: string } = {},
): Promise<JudgeServer> {
  const server = await startJudge(script, options);
  servers.push(server);
  closers.push(server.close);
  return server;
}

export const request = (changes: Partial<JudgeRequest> = {}): JudgeRequest => ({
  model: "judge-1",
  messages: [
    { role: "system", content: "You are a judge." },
    { role: "user", content: "evidence" },
    { role: "user", content: "Is it good?" },
  ],
  ...changes,
});

export function judgeAt(
  { url }: Pick<JudgeServer, "url">,
  { endpoint = {}, ...options }: Partial<SendOptions> & { readonly endpoint?: Partial<Endpoint> } = {},
): Judge {
  return openaiJudge({
    endpointOf: () => ({ baseUrl: url, apiKey: "sk-test-0123456789", ...endpoint }),
    maxConcurrency: 50,
    redact: String,
    chance: () => 0.02,
    ...options,
  });
}

export async function ask(
  judge: Judge,
  changes: Partial<JudgeRequest> = {},
  {
    meter = startMeter(),
    signal = new AbortController().signal,
  }: { readonly meter?: Meter; readonly signal?: AbortSignal } = {},
): Promise<JudgeAnswer> {
  return await judge.grade(request(changes), meter, signal);
}

/** The error that is thrown, of any class. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => {
      throw new Error("nothing was thrown");
    },
    (thrown: unknown) => thrown,
  );
}

export async function errorOf(promise: Promise<unknown>): Promise<JudgeError> {
  const error = await thrownBy(promise);
  if (!(error instanceof JudgeError)) throw error;
  return error;
}

export const outcomes = ({ checks }: Pick<JudgeAnswer, "checks">): string =>
  checks.map(({ outcome }) => outcome).join(" ");
