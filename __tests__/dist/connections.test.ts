/** The bundle's connections: through a proxy by TLS, and to a server that never answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { act, closeServers, KEY, passing } from "../support/act.ts";
import { listen } from "../support/http.ts";
import { startGitHub } from "../support/github-server.ts";
import { startJudge } from "../support/judge-server.ts";
import { project, promptGrader } from "../support/projects.ts";
import { CERTIFICATE, startProxy } from "../support/proxy-server.ts";
import type { ProxyOptions } from "../support/proxy-server.ts";
import { removeTemporaryFolders, runAction, temporaryFolder } from "../support/run-action.ts";

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
    const { outputs, code, github } = await behind({ silent: true });
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
