import { spawn } from "node:child_process";
import { connect } from "node:net";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { JudgeError } from "../../src/judge/judge.ts";
import { limitReset, retryAfter } from "../../src/judge/retry.ts";
import { connections } from "../../src/network.ts";
import { pass } from "../support/judge-server.ts";
import type { Reply } from "../support/judge-server.ts";
import { bodyOf, sendJson } from "../support/http.ts";
import { ask, closeLater, closeServers, errorOf, judgeAt, outcomes, serve } from "./judging.ts";

closeServers();

const COMPLETION = { choices: [{ finish_reason: "stop", message: { content: "PASS" } }] };

/** A server that counts its connections; `proxied` are the hosts that were asked for by CONNECT or by a whole address. */
async function counted() {
  const sockets = new Set<Socket>();
  const proxied: string[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith("http")) proxied.push(new URL(incoming.url).host);
    void bodyOf(incoming).then(() => {
      sendJson(response, 200, COMPLETION);
    });
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (incoming, client: Socket) => {
    const target = String(incoming.url);
    proxied.push(target);
    const onward = connect(Number(target.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    for (const one of [onward, client]) one.on("error", () => one.destroy());
    sockets.add(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  );
  const port = String((server.address() as AddressInfo).port);
  return { url: `http://127.0.0.1:${port}/v1`, port, sockets, proxied };
}

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "30", "retry-after": "9" }, 30],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 5_000],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("the wait that %j asks for is %p ms", (headers, wait) => {
  expect(retryAfter(headers, 0)).toBe(wait);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30s" }, 90_000],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6ms" }, 6],
  [{ "x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "6ms" }, undefined],
  [{ "x-ratelimit-remaining-tokens": "0" }, undefined],
])("the limits %j are reset after %p ms", (headers, wait) => {
  expect(limitReset(headers)).toBe(wait);
});

describe("an endpoint that takes four at once", () => {
  test("gets all grades done, and few more than four at once in the end", async () => {
    let now = 0;
    const atOnce: number[] = [];
    const server = await serve(async ({ turn }): Promise<Reply> => {
      now += 1;
      atOnce.push(now);
      const tooMany = now > 4;
      if (!tooMany) await new Promise((resolve) => setTimeout(resolve, 3));
      now -= 1;
      if (tooMany) return { status: 429, headers: { "retry-after-ms": "5" } };
      return turn === 1 ? { calls: [pass("a")] } : {};
    });
    const judge = judgeAt(server);
    const answers = await Promise.all(Array.from({ length: 150 }, () => ask(judge)));
    expect(new Set(answers.map(outcomes))).toEqual(new Set(["pass"]));
    const late = atOnce.slice(-100, -10);
    expect(Math.max(...late)).toBeLessThanOrEqual(10);
  });
});

describe("a reply that is none", () => {
  test.each<[string, string, number]>([
    ["truncated JSON is asked for once more", '{"choices": [{"mess', 2],
    ["a page is not", "<html>Sign in</html>", 1],
  ])("%s", async (_name, raw, requests) => {
    const server = await serve(() => ({ raw }));
    expect((await errorOf(ask(judgeAt(server)))).class).toBe("invalid-reply");
    expect(server.asked).toHaveLength(requests);
  });

  test("an attempt that hangs for half the grade's time is made again", async () => {
    let first = true;
    const server = await serve(({ turn }) => {
      const hangs = first;
      first = false;
      return hangs ? { connection: "hang" } : turn === 1 ? { calls: [pass("a")] } : {};
    });
    expect(outcomes(await ask(judgeAt(server), { timeoutMs: 1_000 }))).toBe("pass");
  });
});

describe("connections", () => {
  test("are kept alive: no more of them than requests at once", async () => {
    const server = await counted();
    const judge = judgeAt(server, { agents: connections(3), maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => ask(judge)));
    expect(server.sockets.size).toBeLessThanOrEqual(3);
  });

  test("go through the proxy that the environment names, but for NO_PROXY", async () => {
    const [proxy, server] = [await counted(), await counted()];
    const before = { ...process.env };
    try {
      process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
      process.env.no_proxy = "";
      const url = `http://judge.example:${server.port}/v1`;
      await ask(judgeAt({ url }, { agents: connections(3) }));
      expect(proxy.proxied.length).toBeGreaterThan(0);
      const seen = proxy.proxied.length;
      process.env.no_proxy = "127.0.0.1";
      await ask(judgeAt(server, { agents: connections(3) }));
      expect(proxy.proxied).toHaveLength(seen);
    } finally {
      process.env = before;
    }
  });
});

describe("an abort", () => {
  test.each<[string, Reply]>([
    [
      "while the endpoint has said when it goes on",
      {
        status: 429,
        headers: {
          "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-requests": "1h",
          "retry-after-ms": "1",
        },
      },
    ],
    ["while a wait is asked for", { status: 429, headers: { "retry-after": "3600" } }],
    ["while nothing comes", { connection: "hang" }],
  ])("%s rejects, and leaves nothing that keeps the process", async (_name, reply) => {
    const { url } = await serve(() => reply);
    const script = `
      import { openaiJudge } from "./src/judge/openai-judge.ts";
      import { startMeter } from "./src/judge/judge.ts";
      const judge = openaiJudge({ endpointOf: () => ({ baseUrl: ${JSON.stringify(url)} }), maxConcurrency: 1 });
      const one = () => judge.grade({ model: "m", messages: [{ role: "user", content: "x" }] }, startMeter(), controller.signal);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("stopped")), 150);
      const ends = await Promise.allSettled([one(), one(), one()]);
      console.log(ends.map(({ reason }) => reason?.message).join(" "));
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect([code, said.trim()]).toEqual([0, "stopped stopped stopped"]);
  });

  test("before a price is known sends nothing", async () => {
    const server = await serve(() => ({}));
    const controller = new AbortController();
    const reason = new JudgeError("cancelled", "stopped");
    const judge = judgeAt(server, {
      budget: { limitsReplies: true, reserve: () => Promise.resolve(() => undefined) },
      price: () => {
        controller.abort(reason);
        return Promise.resolve(1);
      },
    });
    expect(await errorOf(ask(judge, {}, { signal: controller.signal }))).toBe(reason);
    expect(server.asked).toHaveLength(0);
  });
});
