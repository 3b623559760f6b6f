import { afterEach, describe, expect, test } from "@jest/globals";
import { connections, fetchOver } from "../src/network.ts";
import type { FetchInit } from "../src/network.ts";
import { bodyOf, listen } from "./support/http.ts";
import type { Loopback } from "./support/http.ts";
import { withVariables } from "./support/proxy-server.ts";

const servers: Loopback[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

/** A server that moves some paths elsewhere, and tells what it was asked. */
async function moving(places: Readonly<Record<string, readonly [number, string]>>) {
  const asked: string[] = [];
  const server = await listen(async (incoming, response) => {
    const { method = "", url = "" } = incoming;
    asked.push(`${method} ${url} ${await bodyOf(incoming)}`.trim());
    const [status, location] = places[url] ?? [url === "/gone" ? 204 : 200, undefined];
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(status === 200 ? "here" : undefined);
  });
  servers.push(server);
  return { ...server, asked };
}

const fetch = (url: string, init: FetchInit) =>
  fetchOver(connections(2), { origin: new URL(url).origin, longest: 1_000 })(url, init);

describe("a client's fetch", () => {
  test.each([301, 302, 307, 308])(
    "follows a redirect by %i with the method and body it began with",
    async (status) => {
      const server = await moving({ "/old": [status, "/new"] });
      const response = await fetch(`${server.url}/old`, { method: "POST", body: "{}" });
      expect([response.status, response.url, await response.text()]).toEqual([
        200,
        `${server.url}/new`,
        "here",
      ]);
      expect(server.asked).toEqual(["POST /old {}", "POST /new {}"]);
    },
  );

  test("takes no token to another host", async () => {
    const other = await moving({});
    const server = await moving({ "/old": [301, `${other.url}/new`] });
    const headers = { authorization: "Bearer secret" };
    await expect(fetch(`${server.url}/old`, { headers })).rejects.toThrow(`leads to ${other.url}`);
    expect(other.asked).toEqual([]);
  });

  test("takes no token where a link of an answer leads to another host", async () => {
    const other = await moving({});
    const server = await moving({});
    const bound = fetchOver(connections(2), { origin: server.url, longest: 1_000 });
    await expect(bound(`${other.url}/next`, {})).rejects.toThrow(`leads to ${other.url}`);
    expect(other.asked).toEqual([]);
  });

  test("takes no other redirect for an answer", async () => {
    const server = await moving({ "/login": [303, "/form"] });
    await expect(fetch(`${server.url}/login`, {})).rejects.toThrow("status 303");
  });

  test("ends a circle", async () => {
    const server = await moving({ "/a": [302, "/b"], "/b": [302, "/a"] });
    await expect(fetch(`${server.url}/a`, {})).rejects.toThrow("leads to");
    expect(server.asked).toHaveLength(4);
  });

  test("reads an answer without a body", async () => {
    const server = await moving({});
    const response = await fetch(`${server.url}/gone`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  test("reads no answer beyond its bound", async () => {
    const server = await listen((_, response) => Promise.resolve(void response.end("x".repeat(2_000))));
    servers.push(server);
    await expect(fetch(server.url, {})).rejects.toThrow("longer than");
  });
});

describe("a proxy that cannot be used", () => {
  test.each([
    "socks5://proxy.example:1080",
    "http://user:pa%ss@proxy.example:3128",
    "http://proxy.example:99999",
    "https://",
    "not a proxy",
  ])("is an error, and nothing goes past it: %s", async (value) => {
    await withVariables({ https_proxy: value }, () => {
      expect(() => connections(1)("https://judge.example/v1")).toThrow("`HTTPS_PROXY` does not name");
      expect(() => connections(1)("http://judge.example/v1")).not.toThrow();
    });
  });
});
