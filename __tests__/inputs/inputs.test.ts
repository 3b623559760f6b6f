import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import type { Problem } from "../../src/domain/problem.ts";
import { readInputs } from "../../src/inputs/inputs.ts";
import { parseDuration } from "../../src/text/format.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const saved = new Map<string, string | undefined>();

/** Sets inputs as the runner does, for the test under way. */
function setInputs(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const variable = `INPUT_${name.toUpperCase()}`;
    if (!saved.has(variable)) saved.set(variable, process.env[variable]);
    process.env[variable] = value;
  }
}

function restore(): void {
  for (const [name, value] of saved) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  saved.clear();
}

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (!name.startsWith("INPUT_")) continue;
    saved.set(name, process.env[name]);
    Reflect.deleteProperty(process.env, name);
  }
});
afterEach(restore);

type Environment = Parameters<typeof readInputs>[0];

function read(values: Readonly<Record<string, string>> = {}, env: Environment = {}) {
  setInputs(values);
  return readInputs({ GITHUB_WORKSPACE: "/workspace", ...env });
}

/** Inputs that are all right. */
function good(values: Readonly<Record<string, string>> = {}, env: Environment = {}) {
  const { inputs, problems } = read(values, env);
  expect(problems).toEqual([]);
  return inputs;
}

function only(problems: readonly Problem[]): Problem {
  expect(problems.map(({ message }) => message)).toHaveLength(1);
  return problems[0]!;
}

test("grade/action.yml declares exactly the inputs that are read", () => {
  const asked = new Set<string>();
  const env = new Proxy(process.env, {
    get: (variables, name) => {
      if (String(name).startsWith("INPUT_")) asked.add(String(name));
      return Reflect.get(variables, name) as unknown;
    },
  });
  const replaced = jest.replaceProperty(process, "env", env);
  readInputs(env);
  replaced.restore();
  const action = readFileSync(join(import.meta.dirname, "../../grade/action.yml"), "utf8");
  const { inputs } = parse(action) as { readonly inputs: object };
  expect([...asked].sort()).toEqual(
    Object.keys(inputs)
      .map((name) => `INPUT_${name.toUpperCase()}`)
      .sort(),
  );
});

describe("the input `grade`", () => {
  const declared = { grade: "", "min-score": "", "fail-on": "fail", "api-key": "", "model-prices": "" };

  test("sets other inputs, in place of what is given beside it", () => {
    const grade = "min-score: 0.80\nfail-on: score\nmodel-prices: |\n  a=1/2\n  b=3/4\n";
    const { policy, ownPrices } = good({ ...declared, grade });
    expect(policy).toMatchObject({ minScore: 0.8, failOn: "score" });
    expect(ownPrices.map(({ match }) => match)).toEqual(["a", "b"]);
  });

  test.each([
    ["api-key: sk-1", "The input `grade` has `api-key`, which it cannot set."],
    ["results: x", "The input `grade` has `results`, which it cannot set."],
    ["min-scor: 1", "The input `grade` has `min-scor`, which is no input of grading."],
    ["0.8", "The input `grade` is no list of inputs."],
    ["- min-score: 1", "The input `grade` is no list of inputs."],
    ["min-score: {a: 1}", "The input `grade` is no list of inputs."],
    ["min-score: 1\nmin-score: 2", "The input `grade` is no list of inputs."],
    ["min-score: 7", "The input `min-score` is `7`."],
  ])("refuses %j", (grade, message) => {
    expect(only(read({ ...declared, grade }).problems).message).toBe(message);
  });
});

test.each([
  ["runs that were made here", [".waza-grade/runs/runs.json", "results.json"], ".waza-grade/runs"],
  ["results alone", ["results.json"], "results.json"],
  ["neither", [], "results.json"],
])("at the command line `results` is by default, with %s: ", (_what, files, expected) => {
  const workspace = writeProject(Object.fromEntries(files.map((file) => [file, "{}"])));
  expect(good({}, { GITHUB_WORKSPACE: workspace }).results).toEqual([expected]);
});

describe("the defaults", () => {
  test("are those of action.yml", () => {
    expect(good({}, { GITHUB_ACTIONS: "true", RUNNER_TEMP: "/temp" })).toEqual({
      workspace: "/workspace",
      runnerTemp: "/temp",
      isStep: true,
      results: ["results.json"],
      baseline: [],
      advisory: [],
      maxEvidence: 60_000,
      standard: { baseUrl: "https://api.openai.com/v1", keyMissing: true },
      providers: [],
      providerSecrets: [],
      otherSecrets: [],
      caps: {},
      ownPrices: [],
      votes: 1,
      confirmOnFail: 0,
      lift: false,
      dryRun: false,
      timeoutMs: 120_000,
      maxConcurrency: 10,
      offline: false,
      tasks: [],
      changedOnly: false,
      policy: { failOn: "fail", secondLook: false, onError: "fail", onMissing: "fail" },
      checkName: "waza-grade",
      comment: "off",
      matrix: "null",
      reports: [],
      annotations: "auto",
      outputFile: "/temp/waza-grade-results.json",
      hasCopies: false,
    });
  });

  test("are the same when every input is empty or blank, as the runner passes unset ones", () => {
    const names = [
      "eval",
      "results",
      "judge-model",
      "judge-effort",
      "api-key",
      "base-url",
      "timeout",
      "max-concurrency",
    ].concat(
      ["cache-dir", "offline", "min-score", "fail-on", "on-error", "token", "check-name", "annotations"],
      ["output-file", "workspace", "max-evidence"],
    );
    const env = { GITHUB_ACTIONS: "true", RUNNER_TEMP: "/temp" };
    const unset = good({}, env);
    expect(good(Object.fromEntries(names.map((name) => [name, ""])), env)).toEqual(unset);
    expect(good(Object.fromEntries(names.map((name) => [name, " \n"])), env)).toEqual(unset);
  });

  test("of a runner without folders are the current and the system's temporary one", () => {
    const inputs = good({}, { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "" });
    expect(inputs.workspace).toBe(process.cwd());
    expect(inputs.outputFile).toBe(join(tmpdir(), "waza-grade-results.json"));
  });

  test("at the command line name no file to write", () => {
    expect(good({}, { GITHUB_WORKSPACE: "", RUNNER_TEMP: "/temp" }).outputFile).toBeUndefined();
  });
});

describe("good values", () => {
  test("of all inputs are read", () => {
    const inputs = good({
      eval: "evals/**/eval.yaml\n\n  !evals/drafts/**  \n",
      results: "a.json\nb.json",
      baseline: "base/*.json\n!base/old.json",
      advisory: "tone*\n!tone of voice",
      "judge-model": "openai/gpt-chat-latest",
      "judge-effort": "high",
      "api-key": "sk-1",
      "base-url": "http://localhost:11434/v1/",
      timeout: "5m",
      "max-concurrency": "3",
      workspace: "out/{task}/{run}",
      "max-evidence": "12000",
      "cache-dir": "/cache",
      offline: "false",
      "min-score": "0.8",
      "fail-on": "score",
      "on-error": "warn",
      "on-missing": "warn",
      tasks: "csv-*\n\n !*:slow",
      "changed-only": "true",
      token: "ghs_1",
      "check-name": "grades (nightly)",
      annotations: "job",
      comment: "failures",
      matrix: '{"os":"linux"}',
      reports: "junit=out/junit.xml\nmarkdown = /tmp/report.md\n",
      "output-file": "out/graded.json",
      providers: '- {match: "claude-*", base-url: "https://api.anthropic.com/v1/", api-key: k2}',
      "max-judge-calls": "500",
      "max-cost-usd": "2.50",
      "model-prices": "my-* = 0.5/1.5\nother=$1/$2\ncached = 1/2/$0.1",
      "judge-votes": "3",
      "confirm-on-fail": "",
      lift: "true",
      "dry-run": "TRUE",
    });
    expect(inputs).toEqual({
      workspace: "/workspace",
      eval: ["evals/**/eval.yaml", "!evals/drafts/**"],
      isStep: false,
      results: ["a.json", "b.json"],
      baseline: ["base/*.json", "!base/old.json"],
      advisory: ["tone*", "!tone of voice"],
      agentWorkspace: "out/{task}/{run}",
      maxEvidence: 12_000,
      judgeModel: "openai/gpt-chat-latest",
      judgeEffort: "high",
      standard: { baseUrl: "http://localhost:11434/v1", apiKey: "sk-1" },
      providers: [
        {
          match: "claude-*",
          endpoint: { baseUrl: "https://api.anthropic.com/v1", apiKey: "k2", input: "providers" },
        },
      ],
      providerSecrets: ["k2"],
      otherSecrets: [],
      caps: { calls: 500, cost: 2.5 },
      ownPrices: [
        { match: "my-*", input: 0.5, output: 1.5 },
        { match: "other", input: 1, output: 2 },
        { match: "cached", input: 1, output: 2, cached: 0.1 },
      ],
      votes: 3,
      confirmOnFail: 0,
      lift: true,
      dryRun: true,
      timeoutMs: 300_000,
      maxConcurrency: 3,
      cacheDir: "/cache",
      offline: false,
      tasks: ["csv-*", "!*:slow"],
      changedOnly: true,
      policy: { failOn: "score", secondLook: false, onError: "warn", onMissing: "warn", minScore: 0.8 },
      token: "ghs_1",
      checkName: "grades (nightly)",
      annotations: "job",
      comment: "failures",
      matrix: '{"os":"linux"}',
      reports: [
        { format: "junit", path: "/workspace/out/junit.xml" },
        { format: "markdown", path: "/tmp/report.md" },
      ],
      outputFile: "/workspace/out/graded.json",
      hasCopies: true,
    });
  });

  test("an absolute output file stays where it is", () => {
    expect(good({ "output-file": "/elsewhere/x.json" }).outputFile).toBe("/elsewhere/x.json");
  });

  test.each([
    ["0", 0],
    ["1", 1],
    ["1.0", 1],
    [".75", 0.75],
    [" 0.5 ", 0.5],
  ])("min-score %s", (text, minScore) => {
    expect(good({ "min-score": text }).policy.minScore).toBe(minScore);
  });

  test.each([
    ["fail-on", "fail"],
    ["fail-on", "never"],
    ["on-error", "fail"],
    ["on-error", "warn"],
  ])("%s %s", (name, value) => {
    expect(Object.values(good({ [name]: value }).policy)).toContain(value);
  });

  test("`fail-on: regression` without `baseline` compares with nothing", () => {
    expect(only(read({ "fail-on": "regression" }).problems)).toMatchObject({
      level: "error",
      message: "`fail-on: regression` needs `baseline`, and it is not set.",
    });
  });

  test.each(["auto", "check-run", "job", "off"])("annotations %s", (annotations) => {
    expect(good({ annotations }).annotations).toBe(annotations);
  });

  test.each([
    ["true", true],
    ["True", true],
    ["TRUE", true],
    ["false", false],
    ["False", false],
  ])("offline %s", (offline, expected) => {
    expect(good({ offline, "cache-dir": "/cache" }).offline).toBe(expected);
  });

  test.each([
    ["OpenAI's own", "https://api.openai.com/v1", true],
    ["OpenAI's own with a slash", "https://api.openai.com/v1/", true],
    ["a region of OpenAI's", "https://eu.api.openai.com/v1", true],
    ["another's that looks alike", "https://api.openai.com.example.org/v1", false],
    ["another's with OpenAI's name in front", "https://notapi.openai.com/v1", false],
    ["one on this machine", "http://127.0.0.1:8080", false],
  ])("the endpoint %s needs a key, or not", (_case, url, needsKey) => {
    expect(good({ "base-url": url }).standard.keyMissing === true).toBe(needsKey);
  });

  test("an identity's token is not sent without TLS", () => {
    const identity = { "openai-identity": "idp_1/sa_1", "base-url": "HTTP://api.openai.com/v1" };
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://x", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "y" };
    expect(only(read(identity, env).problems).message).toContain("over TLS only");
  });

  test("judge-model `auto` means not set", () => {
    expect(good({ "judge-model": "auto" }).judgeModel).toBeUndefined();
  });

  test("two reports never share a file", () => {
    const { inputs, problems } = read({ reports: "junit=a.xml\nhtml=./a.xml" });
    expect(inputs.reports).toEqual([{ format: "junit", path: "/workspace/a.xml" }]);
    expect(only(problems).help).toContain("a different file for each report");
  });

  test("no report takes the file of the graded results, by any name", () => {
    const folder = temporaryFolder("reports");
    symlinkSync(folder, join(folder, "link"));
    const { inputs, problems } = read(
      { reports: "html=link/graded.json", "output-file": "graded.json" },
      { GITHUB_WORKSPACE: folder },
    );
    expect(inputs.reports).toEqual([]);
    expect(only(problems).help).toContain("a different file for each report");
  });

  test("votes and confirmations exclude each other", () => {
    const { inputs, problems } = read({ "judge-votes": "3", "confirm-on-fail": "2" });
    expect([inputs.votes, inputs.confirmOnFail]).toEqual([3, 0]);
    expect(only(problems).help).toContain("either");
  });

  test("a second opinion needs confirmations", () => {
    expect(good({ "confirm-model": "gpt-5", "confirm-on-fail": "2" })).toMatchObject({
      confirmModel: "gpt-5",
    });
  });

  test("a second opinion without confirmations is refused", () => {
    const { inputs, problems } = read({ "confirm-model": "gpt-5" });
    expect(inputs.confirmModel).toBeUndefined();
    expect(only(problems).help).toContain("Set `confirm-on-fail` too");
  });

  test("another maker's key is fine for another address", () => {
    good({ "api-key": "sk-ant-api03-abc", "base-url": "https://gateway.example.com/v1" });
  });

  test("of a header's value each part is a secret, and the password within `Basic`", () => {
    const basic = `Basic ${Buffer.from("grader:open-sesame").toString("base64")}`;
    const headers = JSON.stringify({ Cookie: "session=abcdef0123; theme=dark", Authorization: basic });
    const providers = `- {match: "*", base-url: "https://x.example.com/v1", api-key: "", headers: ${headers}}`;
    const { providerSecrets } = good({ providers });
    expect(providerSecrets).toEqual(expect.arrayContaining(["abcdef0123", "open-sesame"]));
    expect(providerSecrets).not.toContain("dark");
  });

  test("an Azure endpoint without a key is asked with the Entra token of the environment", () => {
    const providers =
      '- {match: "*", base-url: "https://x.openai.azure.com/openai", api-version: "2025-04-01", api-key: ""}';
    const { providers: found } = good({ providers }, { AZURE_OPENAI_AD_TOKEN: "eyJ0.e30.x" });
    expect(found[0]?.endpoint).toMatchObject({ apiKey: "eyJ0.e30.x" });
    expect(found[0]?.endpoint.keyMissing).toBeUndefined();
    expect(good({ providers }).providers[0]?.endpoint).toHaveProperty("keyMissing", true);
  });

  test.each(["1", "10", "9999"])("max-concurrency %s", (value) => {
    expect(good({ "max-concurrency": value }).maxConcurrency).toBe(Number(value));
  });
});

describe("a bad value is an error naming input and value, and the default is used", () => {
  test.each([
    ["a min-score above 1", "min-score", "80", (i: Read) => i.policy.minScore, undefined],
    ["a negative min-score", "min-score", "-0.1", (i: Read) => i.policy.minScore, undefined],
    ["a min-score in per cent", "min-score", "80%", (i: Read) => i.policy.minScore, undefined],
    ["a min-score with a comma", "min-score", "0,8", (i: Read) => i.policy.minScore, undefined],
    ["a min-score that is no number", "min-score", "NaN", (i: Read) => i.policy.minScore, undefined],
    ["an unknown fail-on", "fail-on", "always", (i: Read) => i.policy.failOn, "fail"],
    ["a fail-on in capitals", "fail-on", "Never", (i: Read) => i.policy.failOn, "fail"],
    ["an unknown on-error", "on-error", "ignore", (i: Read) => i.policy.onError, "fail"],
    ["an unknown on-missing", "on-missing", "ignore", (i: Read) => i.policy.onMissing, "fail"],
    ["a changed-only that is neither", "changed-only", "maybe", (i: Read) => i.changedOnly, false],
    ["a line of advisory that excludes nothing", "advisory", "!", (i: Read) => i.advisory, []],
    ["a baseline that only excludes", "baseline", "!a.json", (i: Read) => i.baseline, []],
    ["a line of tasks that excludes nothing", "tasks", "!", (i: Read) => i.tasks, []],
    ["an unknown annotations", "annotations", "none", (i: Read) => i.annotations, "auto"],
    ["a yes for offline", "offline", "yes", (i: Read) => i.offline, false],
    ["a word in capitals for offline", "offline", "ON", (i: Read) => i.offline, false],
    ["no request at once", "max-concurrency", "0", (i: Read) => i.maxConcurrency, 10],
    ["a negative concurrency", "max-concurrency", "-1", (i: Read) => i.maxConcurrency, 10],
    ["a fraction of a request", "max-concurrency", "1.5", (i: Read) => i.maxConcurrency, 10],
    ["a concurrency in words", "max-concurrency", "ten", (i: Read) => i.maxConcurrency, 10],
    ["too much concurrency", "max-concurrency", "10000", (i: Read) => i.maxConcurrency, 10],
    ["next to no evidence", "max-evidence", "999", (i: Read) => i.maxEvidence, 60_000],
    ["evidence in thousands", "max-evidence", "60k", (i: Read) => i.maxEvidence, 60_000],
    ["an unknown placeholder", "workspace", "out/{model}", (i: Read) => i.agentWorkspace, undefined],
    ["an empty placeholder", "workspace", "out/{}", (i: Read) => i.agentWorkspace, undefined],
    ["a timeout in words", "timeout", "soon", (i: Read) => i.timeoutMs, 120_000],
    ["no time at all", "timeout", "0", (i: Read) => i.timeoutMs, 120_000],
    [
      "a URL without a scheme",
      "base-url",
      "localhost:8080/v1",
      (i: Read) => i.standard.baseUrl,
      "https://api.openai.com/v1",
    ],
    [
      "an identity without its account",
      "openai-identity",
      "idp_1",
      (i: Read) => i.standard.identity,
      undefined,
    ],
    [
      "a URL that is a word",
      "base-url",
      "openai",
      (i: Read) => i.standard.baseUrl,
      "https://api.openai.com/v1",
    ],
    [
      "a URL with its route",
      "base-url",
      "https://x.example/v1/chat/completions",
      (i: Read) => i.standard.baseUrl,
      "https://api.openai.com/v1",
    ],
    [
      "a URL with the other route",
      "base-url",
      "https://x.example/v1/responses/",
      (i: Read) => i.standard.baseUrl,
      "https://api.openai.com/v1",
    ],
    [
      "a URL of a file",
      "base-url",
      "file:///etc/passwd",
      (i: Read) => i.standard.baseUrl,
      "https://api.openai.com/v1",
    ],
    ["a report in a folder", "reports", "junit=out/", (i: Read) => i.reports, []],
    ["an unknown comment", "comment", "sometimes", (i: Read) => i.comment, "off"],
    ["a report in no known format", "reports", "pdf=out.pdf", (i: Read) => i.reports, []],
    ["a report without a path", "reports", "junit=", (i: Read) => i.reports, []],
    ["a report that is a path alone", "reports", "out/junit.xml", (i: Read) => i.reports, []],
    ["an even number of votes", "judge-votes", "2", (i: Read) => i.votes, 1],
    ["no vote", "judge-votes", "0", (i: Read) => i.votes, 1],
    ["an odd number of confirmations", "confirm-on-fail", "1", (i: Read) => i.confirmOnFail, 0],
    ["a cap in words", "max-judge-calls", "many", (i: Read) => i.caps.calls, undefined],
    ["no call at all", "max-judge-calls", "0", (i: Read) => i.caps.calls, undefined],
    ["a negative cap", "max-judge-calls", "-1", (i: Read) => i.caps.calls, undefined],
    ["a fraction of a call", "max-judge-calls", "1.5", (i: Read) => i.caps.calls, undefined],
    ["euros", "max-cost-usd", "2€", (i: Read) => i.caps.cost, undefined],
    ["a price of four numbers", "model-prices", "m=1/2/3/4", (i: Read) => i.ownPrices, []],
    ["a price of one number", "model-prices", "m=1", (i: Read) => i.ownPrices, []],
    ["a price in words", "model-prices", "m=cheap/dear", (i: Read) => i.ownPrices, []],
    ["a yes for dry-run", "dry-run", "yes", (i: Read) => i.dryRun, false],
    ["an excluded nothing", "eval", "!", (i: Read) => i.eval, undefined],
    ["a baseline that only excludes", "baseline", "!x.json", (i: Read) => i.baseline, []],
    ["results that only exclude", "results", "!x.json", (i: Read) => i.results, ["results.json"]],
  ])("%s", (_case, name, value, of, fallback) => {
    const { inputs, problems } = read({ [name]: value });
    const { level, message, help } = only(problems);
    expect(level).toBe("error");
    expect(message).toContain(`\`${name}\``);
    expect(message).toContain(`\`${value}\``);
    expect(help).toMatch(/\S/);
    expect(of(inputs)).toEqual(fallback);
  });

  test.each<[string, Record<string, string>, Environment, RegExp, RegExp]>([
    [
      "a secret's name as the key",
      { "api-key": "secrets.KEY" },
      {},
      /`api-key` holds the name/,
      /secrets\.NAME/,
    ],
    [
      "a variable as the key",
      {},
      { OPENAI_API_KEY: "$OPENAI_API_KEY" },
      /`OPENAI_API_KEY` holds the name/,
      /key itself/,
    ],
    [
      "another maker's key",
      { "api-key": "sk-ant-api03-abc" },
      {},
      /`api-key` is a key of Anthropic \(`sk-ant-…`\), and would be sent to OpenAI/,
      /base-url: https:\/\/api\.anthropic\.com\/v1/,
    ],
    [
      "a scheme with the key",
      { "api-key": "Bearer sk-1" },
      {},
      /begins with the name of a scheme/,
      /key alone/,
    ],
    [
      "an expression",
      { "base-url": "${{ vars.URL }}" },
      {},
      /`base-url` holds `\$\{\{`/,
      /only in the workflow/,
    ],
    [
      "an expression as the key",
      { "api-key": "${{ secrets.KEY }}" },
      {},
      /`api-key` holds `\$\{\{`/,
      /only in the workflow/,
    ],
    [
      "Azure's full address",
      {
        "base-url": "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
      },
      {},
      /`base-url`/,
      /base-url: https:\/\/x\.openai\.azure\.com\/openai, api-version: "2024-10-21", deployment: d,/,
    ],
    [
      "an address without a scheme",
      { "base-url": "127.0.0.1:8911" },
      {},
      /`127.0.0.1:8911`/,
      /^Begin it with `http:/,
    ],
    ["another scheme", { "base-url": "ftp://x.example" }, {}, /`base-url`/, /^Use the root/],
    ["a pattern longer than any path", { eval: "*/".repeat(5_000) }, {}, /`eval`/, /4,096/],
  ])("%s", (_case, values, env, says, helps) => {
    const { level, message, help } = only(read(values, env).problems);
    expect([level, message.length < 200]).toEqual(["error", true]);
    expect(message).toMatch(says);
    expect(help).toMatch(helps);
  });

  test.each([
    ["a key", { "api-key": "sk-1" }, /a key for OpenAI/],
    ["another endpoint", { "base-url": "http://127.0.0.1:9/v1" }, /127\.0\.0\.1:9\/v1` is not OpenAI's/],
  ])("an identity beside %s is a warning", (_case, values, says) => {
    const { level, message } = only(read({ "openai-identity": "idp_1/sa_1", ...values }).problems);
    expect(level).toBe("warning");
    expect(message).toMatch(says);
  });

  test("all bad values are reported together, and the good ones are kept", () => {
    const { inputs, problems } = read({
      "min-score": "2",
      "fail-on": "x",
      timeout: "y",
      "base-url": "z",
      "check-name": "kept",
      "max-concurrency": "4",
    });
    for (const name of ["min-score", "fail-on", "timeout", "base-url"]) {
      expect(problems.filter(({ message }) => message.includes(`\`${name}\``))).toHaveLength(1);
    }
    expect(problems).toHaveLength(4);
    expect(inputs).toMatchObject({ checkName: "kept", maxConcurrency: 4 });
  });

  test("`fail-on: score` without min-score names both", () => {
    const { level, message } = only(read({ "fail-on": "score" }).problems);
    expect(level).toBe("error");
    expect(message).toContain("`fail-on: score`");
    expect(message).toContain("`min-score`");
  });

  test("`fail-on: score` with a bad min-score is reported once", () => {
    expect(only(read({ "fail-on": "score", "min-score": "high" }).problems).message).toContain("`high`");
  });

  test("`fail-on: score` with min-score 0 is fine", () => {
    expect(good({ "fail-on": "score", "min-score": "0" }).policy).toEqual({
      failOn: "score",
      secondLook: false,
      onError: "fail",
      onMissing: "fail",
      minScore: 0,
    });
  });

  test("a key is not repeated in any problem", () => {
    const { problems } = read({ "api-key": "sk-secret", token: "ghs_secret", "fail-on": "x" });
    expect(JSON.stringify(problems)).not.toMatch(/secret/);
  });
});

type Read = ReturnType<typeof readInputs>["inputs"];

describe("the environment", () => {
  test("replaces the api-key and the base-url", () => {
    const env = { OPENAI_API_KEY: "sk-env", OPENAI_BASE_URL: "https://judge.example/v1/" };
    expect(good({}, env)).toMatchObject({
      standard: { apiKey: "sk-env", baseUrl: "https://judge.example/v1" },
    });
  });

  test("yields to the inputs", () => {
    const env = {
      OPENAI_API_KEY: "sk-env",
      OPENAI_BASE_URL: "https://env.example",
      WAZA_PROMPT_GRADER_TIMEOUT: "1s",
    };
    const inputs = good({ "api-key": "sk-in", "base-url": "https://in.example/v1", timeout: "2s" }, env);
    expect(inputs).toMatchObject({
      standard: { apiKey: "sk-in", baseUrl: "https://in.example/v1" },
      timeoutMs: 2_000,
    });
  });

  test.each([
    ["5m", 300_000],
    ["300s", 300_000],
    ["1m30s", 90_000],
    ["90", 90_000],
    [" 7s ", 7_000],
    ["", 120_000],
  ])("WAZA_PROMPT_GRADER_TIMEOUT `%s`", (value, timeoutMs) => {
    expect(good({}, { WAZA_PROMPT_GRADER_TIMEOUT: value }).timeoutMs).toBe(timeoutMs);
  });

  test("a bad WAZA_PROMPT_GRADER_TIMEOUT is a warning with its value, and 120 s are used", () => {
    const { inputs, problems } = read({}, { WAZA_PROMPT_GRADER_TIMEOUT: "a while" });
    expect(only(problems).level).toBe("warning");
    expect(only(problems).message).toMatch(/WAZA_PROMPT_GRADER_TIMEOUT.*`a while`/);
    expect(inputs.timeoutMs).toBe(120_000);
  });

  test("a bad WAZA_PROMPT_GRADER_TIMEOUT does not matter when the input is set", () => {
    expect(good({ timeout: "9" }, { WAZA_PROMPT_GRADER_TIMEOUT: "a while" }).timeoutMs).toBe(9_000);
  });

  test("a bad OPENAI_BASE_URL is an error that names it, since no input was set", () => {
    const { message } = only(read({}, { OPENAI_BASE_URL: "judge.local" }).problems);
    expect(message).toContain("`judge.local`");
    expect(message).toContain("OPENAI_BASE_URL");
  });
});

describe("durations", () => {
  test.each([
    ["120", 120_000],
    ["0.5", 500],
    ["300s", 300_000],
    ["5m", 300_000],
    ["1m30s", 90_000],
    ["1.5m", 90_000],
    ["2h", 7_200_000],
    ["1h2m3s", 3_723_000],
    ["250ms", 250],
    ["1s500ms", 1_500],
    [" 5m ", 300_000],
    ["0.0001", 1],
    ["596h", 2_145_600_000],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each([
    ["nothing", ""],
    ["zero", "0"],
    ["zero seconds", "0s"],
    ["a negative number", "-5"],
    ["a negative duration", "-5m"],
    ["a unit alone", "m"],
    ["a number after a unit", "1m30"],
    ["a space within", "5 m"],
    ["days, which Go has not", "1d"],
    ["a word", "soon"],
    ["minutes in capitals", "5M"],
    ["an exponent", "1e3"],
    ["infinity", "Infinity"],
    ["longer than a timer can wait", "597h"],
    ["very many seconds", "99999999999999999999"],
  ])("%s is none", (_case, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("the cache folder", () => {
  /** A workspace and a folder beside it. */
  function folders() {
    return { workspace: writeProject({ "cache/x.json": {} }), outside: temporaryFolder("runner-temp") };
  }

  function cache(workspace: string, value: string, more: Readonly<Record<string, string>> = {}) {
    return read({ "cache-dir": value, ...more }, { GITHUB_WORKSPACE: workspace });
  }

  function expectRefused({ inputs, problems }: ReturnType<typeof readInputs>, value: string): void {
    const { level, message, help } = only(problems);
    expect(level).toBe("error");
    expect(message).toContain("`cache-dir`");
    expect(message).toContain(`\`${value}\``);
    expect(help).toContain("${{ runner.temp }}/waza-grade");
    expect(inputs.cacheDir).toBeUndefined();
  }

  test.each(["cache", "./cache", "not/yet/there", ".", "x/../cache", "..cache"])(
    "%s inside the workspace is refused",
    (value) => {
      expectRefused(cache(folders().workspace, value), value);
    },
  );

  test("an absolute path inside the workspace is refused", () => {
    const { workspace } = folders();
    expectRefused(cache(workspace, join(workspace, "cache")), join(workspace, "cache"));
  });

  test("one that leaves the workspace and comes back is refused", () => {
    const { workspace } = folders();
    const value = `../${workspace.split("/").at(-1)!}/cache`;
    expectRefused(cache(workspace, value), value);
  });

  test("a link outside that leads inside is refused, also to a folder still to be made", () => {
    const { workspace, outside } = folders();
    symlinkSync(workspace, join(outside, "link"));
    for (const rest of ["", "cache", "not/yet/there"]) {
      const value = join(outside, "link", rest);
      expectRefused(cache(workspace, value), value);
    }
  });

  test("a link inside that leads outside is refused: a pull request could change it", () => {
    const { workspace, outside } = folders();
    symlinkSync(outside, join(workspace, "link"));
    for (const value of ["link", "link/deeper"]) expectRefused(cache(workspace, value), value);
  });

  test("a workspace behind a link is known by both its names", () => {
    const { workspace, outside } = folders();
    const link = join(outside, "workspace");
    symlinkSync(workspace, link);
    expectRefused(cache(link, join(workspace, "cache")), join(workspace, "cache"));
    expectRefused(cache(workspace, join(link, "cache")), join(link, "cache"));
  });

  test("a dangling link outside that leads inside is refused", () => {
    const { workspace, outside } = folders();
    symlinkSync(join(workspace, "later"), join(outside, "link"));
    expectRefused(cache(workspace, join(outside, "link")), join(outside, "link"));
  });

  test("outside the workspace is taken, whether it exists or not", () => {
    const { workspace, outside } = folders();
    mkdirSync(join(outside, "there"));
    for (const value of [join(outside, "there"), join(outside, "not", "yet")]) {
      const { inputs, problems } = cache(workspace, value);
      expect(problems).toEqual([]);
      expect(inputs.cacheDir).toBe(value);
    }
  });

  test("beside the workspace, with a name that begins like it, is taken", () => {
    const { workspace } = folders();
    const { inputs, problems } = cache(workspace, `${workspace}-cache`);
    expect(problems).toEqual([]);
    expect(inputs.cacheDir).toBe(`${workspace}-cache`);
  });

  test("inside the workspace is taken when offline", () => {
    const { workspace } = folders();
    const { inputs, problems } = cache(workspace, "cache", { offline: "true" });
    expect(problems).toEqual([]);
    expect(inputs.cacheDir).toBe(join(workspace, "cache"));
  });
});
