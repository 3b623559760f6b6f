import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { JudgeError } from "../../src/judge/judge.ts";
import { judgeFetch } from "../../src/judge/api/client.ts";
import { retryAfter } from "../../src/judge/api/retry.ts";
import { unlessAborted } from "../../src/network/connections.ts";
import { finish, pass, type Reply } from "../support/judge-server.ts";
import { startProxy, withVariables, type ProxyOptions } from "../support/proxy-server.ts";
import { bodyOf, sendJson } from "../support/http.ts";
import { ask, NO_RETRY, closeLater, closeServers, errorOf, judgeAt, outcomes, serve } from "./judging.ts";

closeServers();

const COMPLETION = { choices: [{ finish_reason: "stop", message: { content: "PASS" } }] };

/** A judge's server that counts its connections. */
async function counted() {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then(() => {
      sendJson(response, 200, COMPLETION);
    });
  });
  server.on("connection", (socket) => sockets.add(socket));
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
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`, sockets };
}

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "30", "retry-after": "9" }, 30],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 5_000],
  [{ "retry-after": "soon" }, undefined],
  [{ "llm_provider-retry-after": "3" }, 3_000],
  [{}, undefined],
])("the wait that %j asks for is %p ms", (headers, wait) => {
  expect(retryAfter(new Headers(headers), 0)).toBe(wait);
});

test("a limit that is whole again only in minutes ends nothing: Retry-After is obeyed", async () => {
  let refused = false;
  const server = await serve(() => {
    if (refused) return { calls: [pass("a"), finish] };
    refused = true;
    const headers = {
      "retry-after": "0.1",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "6m0s",
    };
    return { status: 429, headers };
  });
  expect(outcomes(await ask(judgeAt(server), { deadline: performance.now() + 30_000 }))).toBe("pass");
  expect(server.asked).toHaveLength(2);
});

test("an endpoint that says 'again at once' for ever is believed five times, and asked ever more slowly then", async () => {
  const server = await serve(() => ({ status: 429, headers: { "retry-after-ms": "0" } }));
  const error = await errorOf(ask(judgeAt(server), { deadline: performance.now() + 1_000 }));
  expect(error.class).toBe("rate-limit");
  expect(server.asked.length).toBeLessThan(100);
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
    ["a page is, as a fault of the server is", "<html>Sign in</html>", 6],
    [
      "a list of calls with what is no call",
      '{"choices": [{"message": {"tool_calls": ["set_waza_grade_fail"]}}]}',
      2,
    ],
    ["calls that are no list", '{"choices": [{"message": {"tool_calls": {"id": "a"}}}]}', 2],
  ])("%s", async (_name, raw, requests) => {
    const server = await serve(() => ({ raw }));
    expect((await errorOf(ask(judgeAt(server)))).class).toBe("invalid-reply");
    expect(server.asked).toHaveLength(requests);
  });
});

describe("headers that no `Headers` holds", () => {
  test.each([
    ["Latin-1", "Zürich"],
    ["UTF-8", Buffer.from("中文").toString("latin1")],
  ])("are left out, and the reply is read all the same: %s", async (_name, value) => {
    const headers = { "x-note": value };
    const good = await serve(() => ({ calls: [pass("a"), finish], headers }));
    expect(outcomes(await ask(judgeAt(good)))).toBe("pass");
    const bad = await serve(() => ({ status: 401, error: { message: "no" }, headers }));
    const judge = judgeAt(bad);
    for (const _ of [1, 2]) expect((await errorOf(ask(judge))).class).toBe("credentials");
    expect([good.asked.length, bad.asked.length]).toEqual([1, 1]);
  });

  test.each([600, 999])("a status beyond the known is a fault of the server, named: %d", async (status) => {
    const server = await serve(() => ({ status, headers: NO_RETRY }));
    const { class: errorClass, message } = await errorOf(ask(judgeAt(server)));
    expect([errorClass, message]).toEqual(["server", expect.stringContaining(`failed: ${String(status)} `)]);
  });
});

describe("a compressed reply, although none was asked for", () => {
  const raw = Buffer.from(
    JSON.stringify({
      choices: [
        {
          message: {
            tool_calls: [pass("a"), finish].map(({ name }) => ({ function: { name, arguments: "{}" } })),
          },
        },
      ],
    }),
  );
  const sent = (encoding: string, bytes: Uint8Array) =>
    serve(() => ({ raw: bytes, headers: { "content-encoding": encoding } }));

  test.each<[string, Uint8Array]>([
    ["gzip", gzipSync(raw)],
    ["x-gzip", gzipSync(raw)],
    ["br", brotliCompressSync(raw)],
    ["deflate", deflateSync(raw)],
    ["Deflate", deflateRawSync(raw)],
    ["identity", raw],
  ])("is read: %s", async (encoding, bytes) => {
    expect(outcomes(await ask(judgeAt(await sent(encoding, bytes))))).toBe("pass");
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["gzip", gzipSync(Buffer.alloc(5_000_000)), /longer than 4 MB/],
    ["gzip", gzipSync(raw).subarray(0, 40), /`content-encoding: gzip` cannot be decoded/],
    ["gzip", raw, /`content-encoding: gzip` cannot be decoded/],
    ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /`content-encoding: zstd` is not supported/],
  ])("or is an error that names the encoding, once: %s", async (encoding, bytes, says) => {
    const server = await sent(encoding, bytes);
    const { class: errorClass, message } = await errorOf(ask(judgeAt(server)));
    expect([errorClass, message]).toEqual(["invalid-reply", expect.stringMatching(says)]);
    expect(server.asked).toHaveLength(1);
  });
});

describe("connections", () => {
  test("are kept alive: no more of them than requests at once", async () => {
    const server = await counted();
    const judge = judgeAt(server, { maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => ask(judge)));
    expect(server.sockets.size).toBeLessThanOrEqual(3);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ["go through the proxy", { http_proxy: "PROXY" }, "http://judge.example:8080/v1", 2],
    ["go through a proxy without a scheme", { HTTP_PROXY: "ADDRESS" }, "http://judge.example:8080/v1", 2],
    ["are direct for this machine", { http_proxy: "PROXY" }, "OWN", 0],
    ["are direct for a scheme without a proxy", { https_proxy: "PROXY" }, "OWN", 0],
    ["are direct for a host of NO_PROXY", { http_proxy: "PROXY", NO_PROXY: "x.y, 0.0.0.0" }, "BY-IP", 0],
  ])("%s: %j, %s", async (_name, variables, address, proxied) => {
    const server = await counted();
    const own = new URL(server.url);
    const proxy = await startProxy({ reaches: { "judge.example:8080": own.port } });
    closeLater(proxy.close);
    const named: Record<string, string> = {
      PROXY: `http://127.0.0.1:${proxy.port}`,
      ADDRESS: `127.0.0.1:${proxy.port}`,
    };
    const asIs: Record<string, string> = { OWN: server.url, "BY-IP": `http://0.0.0.0:${own.port}/v1` };
    const given = Object.entries(variables).map(([name, value]) => [name, named[value] ?? value]);
    await withVariables(Object.fromEntries(given) as Record<string, string>, () =>
      ask(judgeAt({ url: asIs[address] ?? address }, { maxConcurrency: 3 })),
    );
    expect(proxy.asked.map(({ target }) => target)).toEqual(Array(proxied).fill("judge.example:8080"));
  });
});

test.each([
  "socks5://proxy.example:1080",
  "http://user:pa%ss@proxy.example:3128",
  "http://proxy.example:99999",
  "https://",
  "not a proxy",
])("a proxy that cannot be used is an error, and nothing goes past it: %s", async (value) => {
  const server = await counted();
  const url = server.url.replace("127.0.0.1", "0.0.0.0");
  const sent = withVariables({ http_proxy: value }, () => judgeFetch(1)(url, { method: "GET", headers: {} }));
  await expect(sent).rejects.toThrow("`HTTP_PROXY` does not name an HTTP proxy");
  expect(server.sockets.size).toBe(0);
});

test.each(["http://judge.example:8080/v1", "https://judge.example/v1"])(
  "a proxy that refuses the way to %s is an error of the network, with its answer",
  async (url) => {
    const proxy = await startProxy({ refuses: 403 });
    closeLater(proxy.close);
    const address = `http://127.0.0.1:${proxy.port}`;
    const error = await withVariables({ http_proxy: address, https_proxy: address }, () =>
      errorOf(ask(judgeAt({ url }))),
    );
    expect([error.class, error.message]).toEqual(["network", expect.stringContaining("403")]);
    expect(proxy.asked.length).toBeLessThanOrEqual(6);
  },
);

test("a proxy that never makes its tunnel holds no grade beyond its time", async () => {
  const time = new AbortController();
  const proxy = await startProxy({
    hangs: () => {
      time.abort(new JudgeError("timeout", "too late"));
    },
  });
  closeLater(proxy.close);
  const judge = judgeAt({ url: "https://judge.example/v1" }, { maxConcurrency: 3 });
  const error = await withVariables({ https_proxy: `http://127.0.0.1:${proxy.port}` }, () =>
    errorOf(ask(judge, {}, { signal: time.signal })),
  );
  expect(error.class).toBe("timeout");
  expect(proxy.asked.map(({ method }) => method)).toEqual(["CONNECT"]);
});

const PAGE = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>";

test.each<[string, ProxyOptions, string]>([
  ["https://judge.example/v1", { adds: PAGE }, "it sent data after its answer to CONNECT"],
  ["http://judge.example/v1", { adds: PAGE }, "it sent data after its answer to CONNECT"],
  ["https://judge.example/v1", { closes: true }, "UND_ERR_SOCKET · other side closed"],
  ["http://judge.example/v1", { closes: true }, "UND_ERR_SOCKET · other side closed"],
  ["https://judge.example/v1", { refuses: 403 }, "Proxy response (403)"],
  ["http://judge.example/v1", { refuses: 403 }, "Proxy response (403)"],
])(
  "an attempt at %s behind a proxy that %j is one CONNECT, and an error of the network",
  async (url, how, says) => {
    const proxy = await startProxy(how);
    closeLater(proxy.close);
    const address = `http://127.0.0.1:${proxy.port}`;
    const error = await withVariables({ https_proxy: address, http_proxy: address }, () =>
      errorOf(ask(judgeAt({ url }), { deadline: 0 })),
    );
    expect([error.class, error.message]).toEqual(["network", expect.stringContaining(says)]);
    expect(proxy.asked.map(({ method }) => method)).toEqual(["CONNECT"]);
  },
);

describe("an abort", () => {
  test.each<[string, Reply]>([
    ["while a wait is asked for", { status: 429, headers: { "retry-after": "3600" } }],
    ["while nothing comes", { connection: "hang" }],
    ["while half an answer is there", { connection: "half" }],
  ])("%s rejects, and leaves nothing that keeps the process", async (_name, reply) => {
    let stop: () => void = () => undefined;
    const { url } = await serve(() => {
      if (reply.connection) stop();
      return reply;
    });
    const script = `
      import { openaiJudge } from "./src/judge/conversation.ts";
      import { startMeter } from "./src/judge/judge.ts";
      const judge = openaiJudge({ endpointOf: () => ({ baseUrl: ${JSON.stringify(url)} }), maxConcurrency: 1, redact: String });
      const one = () => judge.grade({ model: "m", messages: [{ role: "user", content: "x" }], onReply: stop }, startMeter(), controller.signal);
      const controller = new AbortController();
      const stop = () => setImmediate(() => controller.abort(new Error("stopped")));
      process.stdin.once("data", stop);
      const ends = await Promise.allSettled([one(), one(), one()]);
      process.stdin.unref();
      console.log(ends.map(({ reason }) => reason?.message).join(" "));
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    stop = () => child.stdin.write("stop");
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect([code, output.trim()]).toEqual([0, "stopped stopped stopped"]);
  });

  test("is what is reported, also of work that failed with it", async () => {
    const over = AbortSignal.abort(new Error("stopped"));
    await expect(unlessAborted(Promise.reject(new Error("broken")), over)).rejects.toThrow("stopped");
  });

  test("before a price is known sends nothing", async () => {
    const server = await serve(() => ({}));
    const controller = new AbortController();
    const reason = new JudgeError("cancelled", "stopped");
    const judge = judgeAt(server, {
      budget: {
        limitsReplies: true,
        reserve: ({ most }) => Promise.resolve({ dollars: most, settle: () => undefined }),
        add: () => 0,
      },
      price: () => {
        controller.abort(reason);
        return Promise.resolve(1);
      },
    });
    expect(await errorOf(ask(judge, {}, { signal: controller.signal }))).toBe(reason);
    expect(server.asked).toHaveLength(0);
  });
});
