/** The bundle's connections: through a proxy by TLS, and to a server that never answers. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { KEY, act, closeServers, passing } from "../support/act.ts";
import { startGitHub } from "../support/github-server.ts";
import { listen } from "../support/http.ts";
import { certificateFor, startIdentity, type IdentityOptions } from "../support/identity-server.ts";
import { fail, finish, startJudge, type Asked, type Reply } from "../support/judge-server.ts";
import { project, promptGrader } from "../support/projects.ts";
import { CERTIFICATE, startProxy, type ProxyOptions } from "../support/proxy-server.ts";
import { pullRequestEvent, removeTemporaryFolders, runAction, temporaryFolder, type ActionRun } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const ONE = "Call set_waza_grade_pass if it is right, otherwise set_waza_grade_fail.";

describe("behind a proxy", () => {
  const HOSTS = { judge: "judge.example:443", github: "api.github.example:443" };

  /** The action where the judge is reached by TLS alone, and GitHub too unless it is left where it is. */
  async function behind(
    options: ProxyOptions,
    more: {
      readonly graders?: number;
      readonly noProxy?: string;
      readonly githubUrl?: string;
      readonly timeout?: string;
    } = {},
  ) {
    const [judge, github] = [await startJudge(passing), await startGitHub()];
    const reaches = { [HOSTS.judge]: new URL(judge.url).port, [HOSTS.github]: new URL(github.url).port };
    const proxy = await startProxy({ reaches, ...options });
    const graders = Array.from({ length: more.graders ?? 1 }, (_, index) =>
      promptGrader(`g${String(index)}`, ONE),
    );
    const result = await runAction({
      workspace: project({ graders }),
      githubUrl: more.githubUrl ?? github.url,
      inputs: {
        "base-url": "https://judge.example/v1",
        "api-key": KEY,
        "max-concurrency": "2",
        timeout: more.timeout ?? "3s",
      },
      env: {
        HTTPS_PROXY: `http://mona:p%40ss@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: CERTIFICATE,
        ...(more.noProxy === undefined ? {} : { NO_PROXY: more.noProxy }),
      },
    });
    await Promise.all([judge.close(), github.close(), proxy.close()]);
    expect([...judge.refused, ...github.refused]).toEqual([]);
    return { ...result, judge, github, proxy };
  }

  test("the judge and GitHub are reached by TLS through tunnels that are kept", async () => {
    const { outputs, github, judge, proxy } = await behind(
      {},
      { graders: 12, githubUrl: "https://api.github.example", timeout: "60s" },
    );
    expect(outputs).toMatchObject({ "grades-passed": "12", conclusion: "success" });
    expect(github.checkRuns).toHaveLength(1);
    expect(judge.asked).toHaveLength(12);
    const toJudge = proxy.asked.filter(({ target }) => target === HOSTS.judge);
    // Two at once for grades, and one for the list of models.
    expect(toJudge.length).toBeLessThanOrEqual(3);
    const authorization = `Basic ${Buffer.from("mona:p@ss").toString("base64")}`;
    expect(new Set(proxy.asked.map((one) => JSON.stringify({ ...one, target: "" })))).toEqual(
      new Set([JSON.stringify({ method: "CONNECT", target: "", authorization })]),
    );
  });

  test("that refuses, the grade is an error of the network, and nothing tells the proxy's password", async () => {
    const { outputs, summary, log, judge, github } = await behind({ refuses: 407 });
    expect(github.checkRuns).toHaveLength(1);
    expect(outputs).toMatchObject({ "grades-errored": "1", conclusion: "failure" });
    expect(judge.asked).toHaveLength(0);
    expect(summary).toContain("could not be reached");
    expect(log + summary).not.toMatch(/p@ss|p%40ss/);
  });

  test("whose tunnels are silent, the step ends when all is printed", async () => {
    const { outputs, code, github } = await behind({ silent: true }, { timeout: "1s" });
    expect(outputs).toMatchObject({ "grades-errored": "1", conclusion: "failure" });
    expect(github.checkRuns).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("NO_PROXY goes straight, also to hosts below the one it names", async () => {
    const { outputs, proxy } = await behind({}, { noProxy: "example" });
    expect(outputs).toMatchObject({ "grades-errored": "1" });
    expect(proxy.asked).toEqual([]);
  });
});

describe("a cancelled workflow whose GitHub hangs", () => {
  test("ends by itself, with its outputs, summary and files", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const hanging = await listen(() => {
      resolve(undefined);
      return new Promise(() => undefined);
    });
    const out = join(temporaryFolder("reports"), "junit.xml");
    const outcome = await act(project(), passing, {
      githubUrl: hanging.url,
      interrupt: { when: promise, signal: "SIGTERM" },
      inputs: { reports: `junit=${out}` },
    });
    await hanging.close();
    expect(outcome.code).toBe(0);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1" });
    expect(outcome.summary).toContain("## ✅ ");
    expect(readFileSync(out, "utf8")).toContain("<testsuites");
  });
});

/* OpenAI's workload identity through the bundled action: its fixed addresses are reached by a proxy of the test's own. */

afterAll(removeTemporaryFolders);

const CLOUDS = inputsOfClouds();
const HOSTS = CLOUDS.map(([, given]) => new URL(given["base-url"] ?? "").host);
const TLS = certificateFor(temporaryFolder("tls"), ["api.openai.com", "auth.openai.com", ...HOSTS]);
const NO_PERMISSION = { ACTIONS_ID_TOKEN_REQUEST_URL: undefined, ACTIONS_ID_TOKEN_REQUEST_TOKEN: undefined };

/** What docs/company.md#judge-without-a-stored-key gives the action for each cloud, by the name before it. */
function inputsOfClouds(): (readonly [name: string, inputs: Record<string, string>])[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/company.md"), "utf8");
  const blocks = page.matchAll(/```yaml\n(base-url: [^]*?)```/g);
  return [...blocks].map(([, text = ""], index) => [
    ["azure", "vertex", "bedrock"][index] ?? "",
    parse(text) as Record<string, string>,
  ]);
}

/** The action with an identity and no key, and all that it was seen to do. */
async function keyless(
  script: (asked: Asked) => Reply,
  more: IdentityOptions & Pick<ActionRun, "inputs" | "env" | "event"> & { readonly graders?: number } = {},
) {
  const [judge, identity] = [await startJudge(script), await startIdentity(more)];
  const { exchange } = identity;
  const reaches = {
    "api.openai.com:443": new URL(judge.url).port,
    "auth.openai.com:443": new URL(exchange.url).port,
  };
  const proxy = await startProxy({ reaches, tls: TLS });
  const graders = Array.from({ length: more.graders ?? 1 }, (_, index) => promptGrader(`g${String(index)}`));
  const result = await runAction({
    workspace: project({ graders }),
    inputs: { "openai-identity": "idp_1/sa_1", "max-concurrency": "1", token: "", ...more.inputs },
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: TLS.certificate,
      ...identity.env,
      ...more.env,
    },
    ...(more.event && { event: more.event }),
  });
  await Promise.all([judge.close(), identity.close(), proxy.close()]);
  expect(judge.refused).toEqual([]);
  const hosts = [...new Set(proxy.asked.map(({ target }) => target))].sort();
  return { ...result, ...identity, judge, hosts };
}

/** Every file below a folder, as one text. */
function allBelow(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

describe("a workload identity", () => {
  test("is exchanged once, serves all grades, and nothing that a judge repeats of it is printed", async () => {
    const folder = temporaryFolder("published");
    const repeats = ({ headers }: Asked) => ({
      calls: [fail("It works", `I was asked with ${String(headers.authorization)}`), finish],
    });
    const { judge, log, hosts, outputs, summary, subjects, tokens, runnerTemp } = await keyless(repeats, {
      graders: 3,
      inputs: { "cache-dir": join(folder, "cache"), reports: `html=${join(folder, "report.html")}` },
    });
    expect(outputs).toMatchObject({ "grades-failed": "3" });
    expect([subjects, tokens].map(({ length }) => length)).toEqual([1, 1]);
    expect(judge.asked.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${String(tokens[0])}`),
    );
    expect(hosts).toEqual(["api.openai.com:443", "auth.openai.com:443"]);
    for (const token of [...subjects, ...tokens]) expect(log).toContain(`::add-mask::${token}`);
    const published = [log.replaceAll(/^::add-mask::.*$/gm, ""), summary, allBelow(folder), allBelow(runnerTemp)].join();
    expect(published).toContain("I was asked with Bearer [redacted]");
    expect([...subjects, ...tokens].filter((token) => published.includes(token))).toEqual([]);
  });

  test("is exchanged anew when its token has ended", async () => {
    let ended: string | undefined;
    const { judge, outputs, tokens } = await keyless(
      (asked) => {
        const { authorization } = asked.headers;
        if (judgeAskedWith(authorization)) return { status: 401, error: { message: "the token has expired" } };
        return passing(asked);
      },
      { graders: 2 },
    );
    function judgeAskedWith(authorization: unknown): boolean {
      ended ??= String(authorization);
      return ended === authorization;
    }
    expect(outputs).toMatchObject({ "grades-passed": "2" });
    expect(tokens).toHaveLength(2);
    expect(judge.asked.map(({ headers }) => headers.authorization)).toEqual(
      [0, 1, 1].map((index) => `Bearer ${String(tokens[index])}`),
    );
  });

  test.each<[string, IdentityOptions, string]>([
    ["another audience", { expects: { aud: "my-audience" } }, "the audience does not match"],
    ["another subject", { expects: { sub: "repo:octo/other:pull_request" } }, "no mapping for [redacted]"],
    ["tokens that have ended", { lives: 0 }, "the token has expired"],
  ])("that OpenAI expects with %s is refused once, and says where to look", async (_name, how, says) => {
    const { judge, outputs, summary, log, subjects } = await keyless(passing, { ...how, graders: 2 });
    expect(judge.asked).toHaveLength(0);
    expect(subjects).toHaveLength(1);
    expect(outputs).toMatchObject({ "grades-errored": "2", conclusion: "failure" });
    expect(summary).toContain("refused a token for");
    expect(log).toContain(says);
    expect(summary).toContain("Check its two ids");
  });

  test("whose exchange never ends holds no grade beyond its time", async () => {
    const { outputs, summary } = await keyless(passing, { hangs: true, inputs: { timeout: "1s" } });
    expect(outputs).toMatchObject({ "grades-errored": "1", conclusion: "failure" });
    expect(summary).toContain("timeout");
  });

  test.each<[string, Pick<ActionRun, "event">, string, string]>([
    ["without the permission is a configuration problem that names it", {}, "0", "`id-token: write`"],
    ["on a fork is skipped as without a key", { event: pullRequestEvent("mallory/agents") }, "1", "a fork"],
  ])("%s", async (_name, event, skipped, says) => {
    const { judge, hosts, outputs, summary } = await keyless(passing, { ...event, env: NO_PERMISSION });
    expect([judge.asked, hosts]).toEqual([[], []]);
    expect(outputs["grades-skipped"] ?? "").toBe(skipped);
    expect([outputs.conclusion, summary]).toEqual(["failure", expect.stringContaining(says)]);
  });

  test.each<[string, Record<string, string>]>([
    ["a key", { "api-key": "sk-loopback-0123456789abcdef" }],
    ["another address", { "base-url": "https://judge.example/v1", timeout: "1ms" }],
  ])("is not used beside %s", async (_name, inputs) => {
    const { subjects, tokens } = await keyless(passing, { inputs });
    expect([subjects, tokens]).toEqual([[], []]);
  });
});

test.each(CLOUDS)("the recipe for %s asks the address of the cloud with the token of its login", async (name, given) => {
  const { host, pathname } = new URL(given["base-url"] ?? "");
  const judge = await startJudge(passing, { root: pathname });
  const proxy = await startProxy({ reaches: { [`${host}:443`]: new URL(judge.url).port }, tls: TLS });
  expect(given["api-key"]).toMatch(/^\$\{\{ steps\.\w+\.outputs\.\w+ \}\}$/);
  const { outputs } = await runAction({
    workspace: project({ graders: [promptGrader("a")] }),
    inputs: {
      "base-url": given["base-url"] ?? "",
      "judge-model": given["judge-model"] ?? "",
      "api-key": `eyJ-${name}-0123456789`,
      token: "",
    },
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: TLS.certificate },
  });
  await Promise.all([judge.close(), proxy.close()]);
  expect(outputs).toMatchObject({ "grades-passed": "1" });
  expect(judge.asked.map(({ headers, request }) => [headers.authorization, request.model])).toEqual([
    [`Bearer eyJ-${name}-0123456789`, given["judge-model"]],
  ]);
});
