import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import {
  KEY_INPUTS,
  WORKFLOW_INPUTS,
  inputVariables,
  isSwitch,
  readCommandLine,
  readDeclared,
  tooOld,
  withUserCache,
} from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";
import { commandsOf } from "../../src/commands.ts";
import { WORKFLOW_AGENTS } from "../../src/cli/workflow.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const declared = readDeclared(join(ROOT, "action.yml"));
const commands = commandsOf(ROOT);
function read(...args: string[]) {
  const asked = readCommandLine(args, commands);
  if (asked.kind === "version") return { kind: asked.kind };
  const { kind, command } = asked;
  return {
    kind,
    name: command.name,
    ...(asked.kind === "command" && { given: Object.fromEntries(asked.given) }),
  };
}

describe("the flags are the inputs of action.yml", () => {
  test("lists are the inputs that are read line by line, and switches those that are true or false", () => {
    const source = readFileSync(join(ROOT, "src/inputs/inputs.ts"), "utf8");
    const readBy = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name = ""]) => name).sort();
    const names = (is: (input: (typeof declared.inputs)[number]) => boolean | undefined) =>
      declared.inputs.flatMap((input) => (is(input) ? input.name : [])).sort();
    expect(names(({ isList }) => isList)).toEqual(
      [...readBy(/read\.(?:list|globs|prices|reports)\("([a-z-]+)"/g), "providers"].sort(),
    );
    expect(names(isSwitch)).toEqual(readBy(/read\.boolean\("([a-z-]+)"/g));
  });

  test("what is not given has its default, and what only a runner can evaluate has none", () => {
    const variables = inputVariables(declared.inputs, new Map([["min-score", "0.8"]]));
    expect(Object.keys(variables)).toHaveLength(declared.inputs.length);
    expect(variables).toMatchObject({
      "INPUT_MIN-SCORE": "0.8",
      "INPUT_FAIL-ON": "fail",
      "INPUT_DRY-RUN": "false",
      INPUT_TOKEN: "",
      INPUT_MATRIX: "",
    });
  });
});

describe("what is given", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["nothing", [], {}],
    ["a value after its flag", ["--min-score", "0.8"], { "min-score": "0.8" }],
    ["a value after an equals sign", ["--min-score=0.8"], { "min-score": "0.8" }],
    ["a value with an equals sign in it", ["--reports", "junit=a.xml"], { reports: "junit=a.xml" }],
    ["an empty value", ["--base-url", ""], { "base-url": "" }],
    ["a value that begins with a dash", ["--base-url=-x"], { "base-url": "-x" }],
    [
      "an entry of a YAML list",
      ["--providers", "- {match: gpt-*}", "--providers", "---\n- {match: x}"],
      { providers: "- {match: gpt-*}\n---\n- {match: x}" },
    ],
    ["a negative number", ["--min-score", "-1"], { "min-score": "-1" }],
    ["a switch", ["--dry-run"], { "dry-run": "true" }],
    ["a switch with a value", ["--dry-run", "true"], { "dry-run": "true" }],
    ["a switch with its value after an equals sign", ["--dry-run=true"], { "dry-run": "true" }],
    ["the record on standard output", ["--json"], { json: "true" }],
    [
      "a switch that is off",
      ["--dry-run", "false", "--offline=FALSE"],
      { "dry-run": "false", offline: "FALSE" },
    ],
    ["a switch before another flag", ["--offline", "--eval", "a"], { offline: "true", eval: "a" }],
    ["a list, entry by entry", ["--eval", "a", "--eval=!b"], { eval: "a\n!b" }],
  ])("%s", (_, args, given) => {
    expect(read(...args)).toEqual({ kind: "command", name: "", given });
  });

  test.each([
    [["init"], { kind: "command", name: "init", given: {} }],
    [
      ["init", "--agent", "codex", "--lift"],
      { kind: "command", name: "init", given: { agent: "codex", lift: "true" } },
    ],
    [["--help"], { kind: "help", name: "" }],
    [["init", "-h"], { kind: "help", name: "init" }],
    [["--eval", "a", "--nonsense", "-h"], { kind: "help", name: "" }],
    [["-v"], { kind: "version" }],
    [
      ["run", "--agent", "codex", "--", "--oss", "a b"],
      { kind: "command", name: "run", given: { agent: "codex", arguments: "--oss\na b" } },
    ],
  ])("%j", (args, command) => {
    expect(read(...args)).toEqual(command);
  });
});

describe("what is wrong is said with what to write instead", () => {
  test.each<[string, string[], RegExp]>([
    ["a misspelled flag", ["--evl", "x"], /`--evl`.*`--eval`/],
    ["a misspelled flag with a value", ["--fail_on=score"], /`--fail_on`.*`--fail-on`/],
    ["the beginning of a flag", ["--output", "x"], /`--output`.*`--output-file`/],
    ["a flag like no other", ["--xyzzy"], /`--xyzzy`.*--help/],
    ["a name of every object", ["--constructor", "x"], /`--constructor`/],
    ["a short flag", ["-x"], /no flag `-x`.*--help/],
    [
      "a flag with one dash, though it ends in the letters of others",
      ["-eval", "x.yaml"],
      /`-eval`.*`--eval`/,
    ],
    ["a flag with one dash and a value", ["-eval=x.yaml"], /`-eval=x.yaml`.*`--eval`/],
    ["two short flags in one", ["-vh"], /no flag `-vh`/],
    ["the last word of a flag", ["--model", "x"], /`--model`.*`--judge-model`/],
    ["an eval of `run` without a flag", ["run", "evals/eval.yaml"], /`run --eval evals\/eval.yaml`/],
    ["an eval without a flag", ["evals/a.yaml"], /Did you mean `--eval evals\/a.yaml`/],
    ["results without a flag", ["out/a.json"], /Did you mean `--results out\/a.json`/],
    ["a flag without its value, at the end", ["--eval"], /`--eval` needs a value/],
    [
      "a flag without its value, before another",
      ["--eval", "--offline"],
      /`--eval` needs a value.*`--eval=-…`/,
    ],
    [
      "a flag without its value, before the end of all flags",
      ["--eval", "--", "x"],
      /`--eval` needs a value/,
    ],
    ["a switch with an empty value", ["--dry-run="], /`--dry-run=` needs `true` or `false`/],
    ["two values of what takes one", ["--min-score", "1", "--min-score", "0"], /`--min-score`.*twice/],
    [
      "what a shell makes of a pattern",
      ["--eval", "a/eval.yaml", "b/eval.yaml"],
      /`b\/eval.yaml`.*Quote.*`--eval '/,
    ],
    [
      "the same of another flag",
      ["--eval", "e.yaml", "--results", "a.json", "b.json"],
      /Quote.*`--results '/,
    ],
    ["a report without its sign", ["--reports", "html", "a.html"], /Did you mean `--reports html=a.html`/],
    ["a word", ["xyzzy"], /`xyzzy`.*--help/],
    ["a misspelled command", ["jugde"], /There is no command `jugde`. Did you mean `judge`/],
    ["grading by a word", ["grade"], /no command `grade`: grading takes flags alone/],
    ["another program's word for trying", ["test"], /no command `test`: `waza-grade try`/],
    ["another program's word for what there is", ["list"], /no command `list`: `waza-grade --dry-run`/],
    ["an input that a workflow alone has a use for", ["--token", "x"], /`token` is an input for workflows/],
    ["a word after two dashes", ["--", "x"], /`x`/],
    ["a key", ["--api-key", "sk-x"], /^Other users of the machine can see a key.*OPENAI_API_KEY/],
    ["a flag of the agent", ["run", "--max-turns", "5"], /comes after `--`: `-- --max-turns`/],
    ["a key, nearly", ["-api-key", "sk-x"], /^Other users of the machine can see a key/],
    ["a key after an equals sign", ["--api-key=sk-x"], /OPENAI_API_KEY/],
    ["a flag of grading for init", ["init", "--results", "x"], /`--results`.*`waza-grade init --help`/],
    ["an agent without its flag", ["init", "codex"], /Did you mean `init --agent codex`/],
    ["an eval without its flag", ["init", "evals/a.yaml"], /Did you mean `init --eval evals\/a.yaml`/],
    ["no eval for init", ["init", "--eval"], /`--eval` needs a value.*`waza-grade init --help`/],
  ])("%s", (_, args, words) => {
    expect(() => read(...args)).toThrow(words);
  });
});

test("the help names every flag, agent and default, but no key, within the width of the terminal", () => {
  const help = (name: string) => {
    const command = commands.find((one) => one.name === name) ?? commands[0];
    return helpText(command, commands, { columns: 60, style: (_, part) => part });
  };
  const [usage = "", flags = ""] = help("").split("\nFlags\n");
  expect(usage).toContain("waza-grade init --help");
  for (const agent of WORKFLOW_AGENTS) expect(help("init")).toContain(agent);
  expect(help("init")).not.toContain("--results");
  expect([...flags.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name)).toEqual([
    ...declared.inputs
      .map(({ name }) => name)
      .filter((name) => ![...KEY_INPUTS, ...WORKFLOW_INPUTS].includes(name)),
    "failed-in",
    "accepted",
    "json",
  ]);
  expect(flags).toContain("OPENAI_API_KEY");
  expect(flags).toContain("(Default: 60000)");
  expect(flags.split("\n").filter((line) => line.length > 60)).toEqual([]);
  const wide = helpText(commands[0], commands, { columns: 100, style: (_, part) => part });
  expect(wide.split("\n").length).toBeLessThanOrEqual(120);
});

test.each<[string, string[], ReturnType<typeof read>]>([
  ["help", ["help"], { kind: "help", name: "" }],
  ["help of a command", ["help", "run"], { kind: "help", name: "run" }],
  ["a command's help", ["run", "help"], { kind: "help", name: "run" }],
  ["the version", ["version"], { kind: "version" }],
])("words are taken as flags: %s", (_, args, expected) => {
  expect(read(...args)).toEqual(expected);
});

test.each([
  ["20.20.2", true],
  ["22.12.0", true],
  ["22.13.0", false],
  ["23.0.0", false],
  ["24.1.0", false],
])("Node %s is too old: %s", (version, isOld) => {
  expect(tooOld(version) !== undefined).toBe(isOld);
  if (isOld) expect(tooOld(version)).toContain(version);
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    engines: { node: string };
  };
  expect(engines.node).toBe(">=22.13");
});

test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, [string, string][], string | undefined]>([
  ["Linux", "linux", { HOME: "/home/mona" }, [], "/home/mona/.cache/waza-grade"],
  ["XDG's folder", "linux", { HOME: "/home/mona", XDG_CACHE_HOME: "/caches" }, [], "/caches/waza-grade"],
  ["macOS", "darwin", { HOME: "/Users/mona" }, [], "/Users/mona/Library/Caches/waza-grade"],
  ["no home", "linux", {}, [], undefined],
  ["a folder below the current one", "linux", { HOME: "/work/home" }, [], undefined],
  ["another folder", "linux", { HOME: "/home/mona" }, [["cache-dir", "/mine"]], "/mine"],
  ["none", "linux", { HOME: "/home/mona" }, [["cache-dir", "none"]], undefined],
  ["offline", "linux", { HOME: "/home/mona" }, [["offline", "true"]], "/home/mona/.cache/waza-grade"],
])("recorded verdicts at the command line: %s", (_case, platform, env, given, expected) => {
  const read = withUserCache(new Map(given), { env, platform, folder: "/work" });
  expect(read.get("cache-dir")).toBe(expected);
});
