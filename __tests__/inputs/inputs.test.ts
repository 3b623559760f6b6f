import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { readInputs } from "../../src/inputs/inputs.ts";
import { parseDuration } from "../../src/text/format.ts";
import { expectSaid } from "../support/problems.ts";
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

/** The names of the inputs that grade/action.yml declares. */
function declared(): readonly string[] {
  const action = readFileSync(join(import.meta.dirname, "../../grade/action.yml"), "utf8");
  return Object.keys((parse(action) as { readonly inputs: object }).inputs);
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
  expect([...asked].sort()).toEqual(
    declared()
      .map((name) => `INPUT_${name.toUpperCase()}`)
      .sort(),
  );
});

describe("the input `grade`", () => {
  const beside = { grade: "", "min-score": "", "fail-on": "fail", "api-key": "", "model-prices": "" };

  test("sets other inputs, in place of what is given beside it", () => {
    const grade = "min-score: 0.80\nfail-on: score\nmodel-prices: |\n  a=1/2\n  b=3/4\n";
    const { policy, ownPrices } = good({ ...beside, grade });
    expect(policy).toMatchObject({ minScore: 0.8, failOn: "score" });
    expect(ownPrices.map(({ match }) => match)).toEqual(["a", "b"]);
  });

  test.each([
    ["api-key: sk-1", "`grade` has `api-key`, which it cannot set."],
    ["results: x", "`grade` has `results`, which it cannot set."],
    ["min-scor: 1", "`grade` has `min-scor`, which is no input of grading."],
    ["0.8", "`grade` is no list of inputs."],
    ["- min-score: 1", "`grade` is no list of inputs."],
    ["min-score: {a: 1}", "`grade` is no list of inputs."],
    ["min-score: 1\nmin-score: 2", "`grade` is no list of inputs."],
    ["min-score: 7", "`min-score` is `7`."],
  ])("refuses %j", (grade, said) => {
    expectSaid(read({ ...beside, grade }).problems, [`error … The input ${said}`]);
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
      stepMinutes: undefined,
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
    const env = { GITHUB_ACTIONS: "true", RUNNER_TEMP: "/temp" };
    const unset = good({}, env);
    for (const blank of ["", " \n"])
      expect(good(Object.fromEntries(declared().map((name) => [name, blank])), env)).toEqual(unset);
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
      "timeout-minutes": "30",
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
      stepMinutes: 30,
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

  test.each<readonly [Readonly<Record<string, string>>, object]>([
    [{ "output-file": "/elsewhere/x.json" }, { outputFile: "/elsewhere/x.json" }],
    [{ "min-score": "0" }, { policy: { minScore: 0 } }],
    [{ "min-score": "1.0" }, { policy: { minScore: 1 } }],
    [{ "min-score": ".75" }, { policy: { minScore: 0.75 } }],
    [{ "min-score": " 0.5 " }, { policy: { minScore: 0.5 } }],
    [{ "fail-on": "score", "min-score": "0" }, { policy: { failOn: "score", minScore: 0 } }],
    [{ "fail-on": "fail" }, { policy: { failOn: "fail" } }],
    [{ "fail-on": "never" }, { policy: { failOn: "never" } }],
    [{ "on-error": "fail" }, { policy: { onError: "fail" } }],
    [{ "on-error": "warn" }, { policy: { onError: "warn" } }],
    ...["auto", "check-run", "job", "off"].map((annotations) => [{ annotations }, { annotations }] as const),
    ...["true", "True", "TRUE"].map((offline) => [{ offline }, { offline: true }] as const),
    ...["false", "False"].map((offline) => [{ offline }, { offline: false }] as const),
    ...["1", "10", "9999"].map(
      (value) => [{ "max-concurrency": value }, { maxConcurrency: Number(value) }] as const,
    ),
    [{ "judge-model": "auto" }, { judgeModel: undefined }],
    [
      { "confirm-model": "gpt-5", "confirm-on-fail": "2" },
      { confirmModel: "gpt-5", confirmOnFail: 2 },
    ],
    [
      { "api-key": "sk-ant-api03-abc", "base-url": "https://gateway.example.com/v1" },
      { standard: { apiKey: "sk-ant-api03-abc" } },
    ],
  ])("%j", (values, expected) => {
    expect(good({ "cache-dir": "/cache", ...values })).toMatchObject(expected);
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

  const ONE_FILE = "a different file for each report";
  test.each<[string, Readonly<Record<string, string>>, object, string, Environment?]>([
    [
      "an identity's token without TLS",
      { "openai-identity": "idp_1/sa_1", "base-url": "HTTP://api.openai.com/v1" },
      {},
      "over TLS only",
      { ACTIONS_ID_TOKEN_REQUEST_URL: "https://x", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "y" },
    ],
    [
      "two reports in one file",
      { reports: "junit=a.xml\nhtml=./a.xml" },
      { reports: [{ format: "junit", path: "/workspace/a.xml" }] },
      ONE_FILE,
    ],
    [
      "votes and confirmations",
      { "judge-votes": "3", "confirm-on-fail": "2" },
      { votes: 3, confirmOnFail: 0 },
      "either",
    ],
    [
      "a second opinion without confirmations",
      { "confirm-model": "gpt-5" },
      { confirmOnFail: 0 },
      "Set `confirm-on-fail` too",
    ],
    [
      "a regression without a baseline",
      { "fail-on": "regression" },
      {},
      "`fail-on: regression` needs `baseline`",
    ],
    ["a score without a minimum", { "fail-on": "score" }, {}, "`fail-on: score` … `min-score`"],
    ["a score with a bad minimum", { "fail-on": "score", "min-score": "high" }, {}, "`high`"],
  ])("exclude each other: %s", (_case, values, expected, said, env = {}) => {
    const { inputs, problems } = read(values, env);
    expectSaid(problems, [`error … ${said}`]);
    expect(inputs).toMatchObject(expected);
    expect(inputs.confirmModel).toBeUndefined();
  });

  test("no report takes the file of the graded results, by any name", () => {
    const folder = temporaryFolder("reports");
    symlinkSync(folder, join(folder, "link"));
    const values = { reports: "html=link/graded.json", "output-file": "graded.json" };
    const { inputs, problems } = read(values, { GITHUB_WORKSPACE: folder });
    expect(inputs.reports).toEqual([]);
    expectSaid(problems, [`error … ${ONE_FILE}`]);
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
});

describe("a bad value is an error naming input and value, and the default is used", () => {
  const BAD: Readonly<Record<string, readonly string[]>> = {
    "min-score": ["80", "-0.1", "80%", "0,8", "NaN"],
    "fail-on": ["always", "Never"],
    "on-error": ["ignore"],
    "on-missing": ["ignore"],
    "changed-only": ["maybe"],
    "dry-run": ["yes"],
    offline: ["yes", "ON"],
    annotations: ["none"],
    comment: ["sometimes"],
    // Only excluding, or excluding nothing.
    advisory: ["!"],
    tasks: ["!"],
    eval: ["!"],
    baseline: ["!a.json"],
    results: ["!x.json"],
    "max-concurrency": ["0", "-1", "1.5", "ten", "10000"],
    "max-evidence": ["999", "60k"],
    workspace: ["out/{model}", "out/{}"],
    timeout: ["soon", "0"],
    // Without a scheme, with a route, a file's.
    "base-url": [
      ...["localhost:8080/v1", "openai", "https://x.example/v1/chat/completions"],
      ...["https://x.example/v1/responses/", "file:///etc/passwd"],
    ],
    // Without its account.
    "openai-identity": ["idp_1"],
    reports: ["junit=out/", "pdf=out.pdf", "junit=", "out/junit.xml"],
    // They are odd, confirmations even.
    "judge-votes": ["2", "0"],
    "confirm-on-fail": ["1"],
    "max-judge-calls": ["many", "0", "-1", "1.5"],
    "max-cost-usd": ["2€"],
    "timeout-minutes": ["30m", "0"],
    "model-prices": ["m=1/2/3/4", "m=1", "m=cheap/dear"],
  };

  test.each(Object.entries(BAD).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    "%s: %s",
    (name, value) => {
      const key = { "api-key": "sk-1" };
      const unset = good(key);
      const { inputs, problems } = read({ ...key, [name]: value });
      expectSaid(problems, [`error … \`${name}\` … \`${value}\``]);
      expect(problems[0]?.help).toMatch(/\S/);
      expect(inputs).toEqual(unset);
    },
  );

  const AZURE = "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21";
  const AS_PROVIDER =
    'base-url: https://x.openai.azure.com/openai, api-version: "2024-10-21", deployment: d,';
  const identity = { "openai-identity": "idp_1/sa_1" };

  test.each<[string, Readonly<Record<string, string>>, string, Environment?]>([
    [
      "a secret's name as the key",
      { "api-key": "secrets.KEY" },
      "error … `api-key` holds the name … secrets.NAME",
    ],
    [
      "a variable as the key",
      {},
      "error … `OPENAI_API_KEY` holds the name … key itself",
      { OPENAI_API_KEY: "$OPENAI_API_KEY" },
    ],
    [
      "another maker's key",
      { "api-key": "sk-ant-api03-abc" },
      "error … a key of Anthropic (`sk-ant-…`), and would be sent to OpenAI … base-url: https://api.anthropic.com/v1",
    ],
    [
      "a scheme with the key",
      { "api-key": "Bearer sk-1" },
      "error … begins with the name of a scheme … key alone",
    ],
    [
      "an expression",
      { "base-url": "${{ vars.URL }}" },
      "error … `base-url` holds `${{` … only in the workflow",
    ],
    [
      "an expression as the key",
      { "api-key": "${{ secrets.KEY }}" },
      "error … `api-key` holds `${{` … only in the workflow",
    ],
    ["Azure's full address", { "base-url": AZURE }, `error … \`base-url\` … ${AS_PROVIDER}`],
    [
      "an address without a scheme",
      { "base-url": "127.0.0.1:8911" },
      "error … `127.0.0.1:8911` … Begin it with `http:",
    ],
    ["another scheme", { "base-url": "ftp://x.example" }, "error … `base-url` … Use the root"],
    ["a pattern longer than any path", { eval: "*/".repeat(5_000) }, "error … `eval` … 4,096"],
    ["an identity beside a key", { ...identity, "api-key": "sk-1" }, "warning … a key for OpenAI"],
    [
      "an identity elsewhere",
      { ...identity, "base-url": "http://127.0.0.1:9/v1" },
      "warning … 127.0.0.1:9/v1` is not OpenAI's",
    ],
  ])("%s", (_case, values, said, env = {}) => {
    const { problems } = read(values, env);
    expectSaid(problems, [said]);
    expect(problems[0]?.message.length).toBeLessThan(200);
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

  test("a key is not repeated in any problem", () => {
    const { problems } = read({ "api-key": "sk-secret", token: "ghs_secret", "fail-on": "x" });
    expect(JSON.stringify(problems)).not.toMatch(/secret/);
  });
});

describe("the environment", () => {
  const ENV = {
    OPENAI_API_KEY: "sk-env",
    OPENAI_BASE_URL: "https://judge.example/v1/",
    WAZA_PROMPT_GRADER_TIMEOUT: "1s",
  };

  test.each<[string, Readonly<Record<string, string>>, object]>([
    [
      "replaces inputs",
      {},
      { standard: { apiKey: "sk-env", baseUrl: "https://judge.example/v1" }, timeoutMs: 1_000 },
    ],
    [
      "yields to the inputs",
      { "api-key": "sk-in", "base-url": "https://in.example/v1", timeout: "2s" },
      { standard: { apiKey: "sk-in", baseUrl: "https://in.example/v1" }, timeoutMs: 2_000 },
    ],
  ])("%s", (_case, values, expected) => {
    expect(good(values, ENV)).toMatchObject(expected);
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

  test("with a bad value is a problem that names it, unless the input is set", () => {
    const env = { WAZA_PROMPT_GRADER_TIMEOUT: "a while" };
    const { inputs, problems } = read({}, env);
    expectSaid(problems, ["warning … WAZA_PROMPT_GRADER_TIMEOUT … `a while`"]);
    expect(inputs.timeoutMs).toBe(120_000);
    expect(good({ timeout: "9" }, env).timeoutMs).toBe(9_000);
    const url = read({}, { OPENAI_BASE_URL: "judge.local" });
    expectSaid(url.problems, ["error … `judge.local` … OPENAI_BASE_URL"]);
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
    // Nothing, no number, below the least or above the longest that a timer waits; days and capitals are not Go's.
    ...["", "0", "0s", "-5", "-5m", "m", "1m30", "5 m", "1d", "soon", "5M", "1e3", "Infinity", "597h"],
    "99999999999999999999",
  ])("%j is none", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("the cache folder", () => {
  /** A workspace, reached by a link too, beside a folder with links to it and to what is not there. */
  function folders() {
    const [workspace, outside] = [writeProject({ "cache/x.json": {} }), temporaryFolder("runner-temp")];
    symlinkSync(workspace, join(outside, "link"));
    symlinkSync(join(workspace, "later"), join(outside, "later"));
    symlinkSync(outside, join(workspace, "out"));
    mkdirSync(join(outside, "there"));
    return { workspace, outside, name: workspace.split("/").at(-1)! };
  }
  type Folders = ReturnType<typeof folders>;

  test.each<[string, (of: Folders) => string, ((of: Folders) => string)?]>([
    ...["cache", "./cache", "not/yet/there", ".", "x/../cache", "..cache"].map(
      (value): [string, () => string] => [`${value} inside the workspace`, () => value],
    ),
    ["an absolute path inside the workspace", ({ workspace }) => join(workspace, "cache")],
    ["one that leaves the workspace and comes back", ({ name }) => `../${name}/cache`],
    ["a link outside that leads inside", ({ outside }) => join(outside, "link")],
    ["a folder behind it", ({ outside }) => join(outside, "link", "cache")],
    ["a folder behind it that is still to be made", ({ outside }) => join(outside, "link", "not/yet/there")],
    ["a link inside that leads outside, which a pull request could change", () => "out"],
    ["a folder behind it, too", () => "out/deeper"],
    ["a dangling link outside that leads inside", ({ outside }) => join(outside, "later")],
    [
      "the workspace by its other name",
      ({ workspace }) => join(workspace, "cache"),
      ({ outside }) => join(outside, "link"),
    ],
  ])("%s is refused", (_case, path, of = ({ workspace }) => workspace) => {
    const made = folders();
    const { inputs, problems } = read({ "cache-dir": path(made) }, { GITHUB_WORKSPACE: of(made) });
    expectSaid(problems, [`error … \`cache-dir\` … \`${path(made)}\` … \${{ runner.temp }}/waza-grade`]);
    expect(inputs.cacheDir).toBeUndefined();
  });

  test.each<[string, (of: Folders) => string]>([
    ["a folder outside", ({ outside }) => join(outside, "there")],
    ["one that does not exist", ({ outside }) => join(outside, "not", "yet")],
    ["one beside the workspace, with a name that begins like it", ({ workspace }) => `${workspace}-cache`],
  ])("%s is taken", (_case, path) => {
    const made = folders();
    expect(good({ "cache-dir": path(made) }, { GITHUB_WORKSPACE: made.workspace }).cacheDir).toBe(path(made));
  });

  test("inside the workspace is taken when offline", () => {
    const { workspace } = folders();
    const { cacheDir } = good({ "cache-dir": "cache", offline: "true" }, { GITHUB_WORKSPACE: workspace });
    expect(cacheDir).toBe(join(workspace, "cache"));
  });
});
