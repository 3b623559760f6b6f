/** What the repository promises of itself: import directions, action.yml, the lists of inputs, the lock file. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { ERROR_CLASSES } from "../src/domain/grade.ts";
import { EXPLAINED_IN } from "../src/domain/problem.ts";
import { GRADE_TOOLS } from "../src/judge/grade-tools.ts";
import { buildEvidence, instructionsOf } from "../src/judge/evidence.ts";
import { FILE_TOOLS } from "../src/judge/files.ts";
import { BUILT_IN_RUBRICS } from "../src/evals/schema.ts";
import { VERSION } from "../src/text/format.ts";
import { numberedText } from "../src/evals/statements.ts";
import { agent, graderOf, runOf, tool, user } from "./support/factories.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

const PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].concat(
  readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
);

/** Lints texts as if they were the files of those names, with the project's own configuration, in one process. */
function lint(files: readonly { readonly file: string; readonly source: string }[]): string[][] {
  const script = `
    import { ESLint } from "eslint";
    import { text } from "node:stream/consumers";
    const eslint = new ESLint({
      ruleFilter: ({ ruleId }) => ruleId === "no-restricted-imports" || ruleId.startsWith("regexp/"),
      overrideConfig: { languageOptions: { parserOptions: { projectService: false } }, linterOptions: { reportUnusedDisableDirectives: "off" } },
    });
    const found = [];
    for (const { file, source } of JSON.parse(await text(process.stdin))) {
      const [{ messages }] = await eslint.lintText(source, { filePath: file });
      found.push(messages.map(({ ruleId, message }) => ruleId ?? message));
    }
    console.log(JSON.stringify(found));`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
    input: JSON.stringify(files),
    encoding: "utf8",
  });
  expect(child.stderr).toBe("");
  return JSON.parse(child.stdout) as string[][];
}

test("the version that pages name is the package's", () => {
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: VERSION });
});

describe("npm run lint", () => {
  test("refuses imports that go against the directions", () => {
    const wrong = [
      ["src/domain/grade.ts", "../text/format.ts"],
      ["src/text/format.ts", "../judge/grade.ts"],
      ["src/results/score.ts", "../report/summary.ts"],
      ["src/decide/gate.ts", "../report/report.ts"],
      ["src/plan/plan.ts", "../evals/waza-suite.ts"],
      ["src/plan/planned.ts", "../github/api.ts"],
      ["src/outputs/transcript.ts", "../evals/graders.ts"],
      ["src/judge/evidence.ts", "../report/summary.ts"],
      ["src/report/sections/title-and-footer.ts", "../../steps/grade.ts"],
      ["src/run.ts", "./index.ts"],
      ["src/run.ts", "@actions/core"],
      ["src/steps/grade.ts", "../run.ts"],
      ["src/report/sections/title-and-footer.ts", "@actions/core"],
      ["src/report/annotations.ts", "@octokit/core"],
      ["src/decide/gate.ts", "yaml"],
      ["src/judge/votes.ts", "openai"],
    ] as const;
    const found = lint(wrong.map(([file, imported]) => ({ file, source: `import "${imported}";\n` })));
    const taken = wrong.filter((_, index) => !found[index]?.includes("no-restricted-imports"));
    expect(taken).toEqual([]);
  });

  test("refuses patterns that take more than linear time", () => {
    const patterns = ["/\\s*[[{]/m", "/[a.]+$/", "/(?:a+)+b/", "/=.*$/s", "/^\\s*\\d*\\s*$/"];
    const found = lint(
      patterns.map((pattern) => ({ file: "src/text/format.ts", source: `export const is = ${pattern};\n` })),
    );
    const taken = patterns.filter(
      (_, index) => !found[index]?.some((rule) => rule.startsWith("regexp/no-super")),
    );
    expect(taken).toEqual([]);
  });

  test("takes the imports there are", () => {
    const files = [
      "src/judge/grade.ts",
      "src/run.ts",
      "src/report/publishers/github.ts",
      "src/evals/graders.ts",
    ];
    expect(lint(files.map((file) => ({ file, source: read(file) })))).toEqual(files.map(() => []));
  });
});

describe("action.yml", () => {
  const action = parse(read("action.yml")) as {
    description: string;
    inputs: Record<string, { description?: string; default?: string }>;
    outputs: Record<string, { description?: string }>;
    runs: { using: string; main: string };
  };

  test("describes every input and output, and runs the bundle on node24", () => {
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect(description?.length).toBeGreaterThan(20);
    }
    expect(action.runs).toEqual({ using: "node24", main: "dist/index.js" });
  });

  test("has a description that the Marketplace takes", () => {
    expect(action.description.length).toBeLessThanOrEqual(124);
  });
});

test("the generated parts of the pages are what their sources say", () => {
  const script = join(ROOT, "scripts/docs.ts");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the pages show the system message, the evidence and a list as they are sent, to the letter", () => {
  const page = read("docs/judging.md");
  const run = runOf({
    prompt: "What does loop.py do?",
    steps: [
      user("What does loop.py do?"),
      tool({ name: "Read", input: '{"file_path":"loop.py"}', result: "while True: pass" }),
      agent("It loops forever."),
    ],
    finalOutput: "It loops forever.",
  });
  const [system, ...evidence] = buildEvidence(run).messages;
  expect(read("docs/maintainers/system-message.md")).toContain(system?.content);
  for (const { content } of evidence) expect(page).toContain(content);
  const { at } = graderOf();
  const statements = ["The answer names the loop.", "The answer is at most two lines."].map((text) => ({
    text,
    at,
  }));
  const prompt = numberedText(statements, { expected: "An endless loop." });
  expect(page).toContain(instructionsOf(graderOf({ statements, prompt })).join());
  for (const { function: named } of [...GRADE_TOOLS, ...FILE_TOOLS])
    expect(page).toContain(`\`${named.name}\``);
});

test("docs/troubleshooting.md explains every error class", () => {
  const page = read("docs/troubleshooting.md");
  expect(ERROR_CLASSES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the YAML of pages and examples is YAML, and gives the action only inputs that it has", () => {
  const { inputs } = parse(read("action.yml")) as { inputs: object };
  const given = everyYaml().flatMap(({ page, value }) =>
    stepsIn(value, true)
      .filter(({ uses }) => uses === undefined || uses.includes("/waza-grade@"))
      .flatMap((step) => Object.keys(step.with ?? {}).map((name) => [page, name])),
  );
  expect(given.length).toBeGreaterThan(30);
  const unknown = given.filter(([, name = ""]) => !Object.hasOwn(inputs, name));
  expect(unknown).toEqual([]);
});

test("what workflows restore, download or produce lies below runner.temp, where no pull request can commit it", () => {
  const TEMP = "${{ runner.temp }}/";
  const FOLDERS: Readonly<Record<string, string>> = { RUNNER_TEMP: TEMP };
  /** What people commit on purpose, and review. */
  const COMMITTED = [
    "evals/baseline.json",
    "evals/release/*/*.json",
    "calibration/results.json",
    "calibration/labels.csv",
    "sessions/*",
  ];
  const ours = ["results", "workspace", "baseline", "labels", "cache-dir", "output-file", "reports"];
  const foreign = /^actions\/(?:cache|upload-artifact|download-artifact)\b/;
  const wrong = everyYaml().flatMap(({ page, value }) =>
    stepsIn(value, true).flatMap(({ uses, with: given = {}, run = "", env = {} }) => {
      const names =
        uses === undefined || uses.includes("/waza-grade@") ? ours : foreign.test(uses) ? ["path"] : [];
      const named = names.flatMap((name) => (given[name] ?? "").trim().split("\n"));
      const written = [...run.matchAll(/(?:^|\s)(?:-o|--dir|>(?!>)|mkdir -p) *("[^"]*"|\S+)/gm)].map(
        ([, path = ""]) =>
          path
            .replaceAll('"', "")
            .replace(/^\$(\w+)\b/, (whole, name: string) => ({ ...FOLDERS, ...env })[name] ?? whole),
      );
      return [...named.map((path) => path.replace(/^\w+=/, "")), ...written]
        .filter(
          (path) =>
            path !== "" &&
            !path.startsWith(TEMP) &&
            !/^\$\{\{ steps\.(?:grade|last)\.outputs\.(?:results-file|waza-results)/.test(path) &&
            // Fetched by the action itself, below runner.temp.
            !/^default-branch|'default-branch' \}\}$/.test(path),
        )
        .filter((path) => !COMMITTED.includes(path) && !path.startsWith("examples/code-explainer/"))
        .map((path) => [page, path]);
    }),
  );
  expect(wrong).toEqual([]);
  // Where `results` is left out, it is a file of the checkout.
  const silent = everyYaml().filter(({ page, value }) =>
    stepsIn(value, false).some(
      ({ uses, with: given }) =>
        page.startsWith("examples/") &&
        uses?.includes("/waza-grade@") === true &&
        given?.results === undefined,
    ),
  );
  expect(silent.map(({ page }) => page)).toEqual([]);
});

/** What of a step is looked at. */
interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of a workflow or a part of one; a `with` alone is taken for the action's. */
function stepsIn(value: unknown, isWhole: boolean): Step[] {
  if (typeof value !== "object" || value === null) return [];
  const isStep = "uses" in value || typeof (value as Step).run === "string" || (isWhole && "with" in value);
  return [...(isStep ? [value] : []), ...Object.values(value).flatMap((inner) => stepsIn(inner, false))];
}

/** The YAML of the pages, and the workflows of examples/. */
function everyYaml(): { readonly page: string; readonly value: unknown }[] {
  const blocks = PAGES.flatMap((page) =>
    [...read(page).matchAll(/^( *)```ya?ml\n([\s\S]*?)^ *```/gm)].map(([, indent = "", text = ""]) => ({
      page,
      value: parse(text.replaceAll(new RegExp(`^${indent}`, "gm"), "")) as unknown,
    })),
  );
  const files = ["workflows", "recipes"].flatMap((folder) =>
    readdirSync(join(ROOT, "examples", folder)).map((name) => `examples/${folder}/${name}`),
  );
  return [...blocks, ...files.map((page) => ({ page, value: parse(read(page)) as unknown }))];
}

describe("links", () => {
  const SOURCES = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("domain/problem.ts"))
    .map((file) => read(`src/${file}`));

  /** The anchors that GitHub gives the headings of a page. */
  const anchorsOf = (page: string) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
    );

  test.each(PAGES)("of %s lead to files and headings that there are", (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, file = "", anchor]) => {
      const target = file === "" ? page : join(page, "..", file);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each([...EXPLAINED_IN])("of the problem %s, which src makes, lead to %s", (code, where) => {
    const [page = "", anchor] = where.split("#");
    expect(PAGES).toContain(`docs/${page}`);
    if (anchor !== undefined) expect(anchorsOf(`docs/${page}`)).toContain(anchor);
    expect(SOURCES.some((source) => source.includes(`"${code}"`))).toBe(true);
  });
});

test("docs/graders.md lists the built-in rubrics", () => {
  const page = read("docs/graders.md");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| [^|]{40,}\|$/gm)].map(([, name]) => name);
  expect(rows).toEqual([...BUILT_IN_RUBRICS]);
});

test("README.md shows the command of all tests, in a block of its own", () => {
  expect(read("README.md")).toContain("```sh\nnpm ci && npm test\n```");
});

test("README.md shows the call of the workflow that init writes, to the letter", () => {
  const [block = ""] = /```yaml\njobs:\n[^]*?(?=```)/.exec(read("README.md")) ?? [];
  expect(block).not.toBe("");
  expect(read("examples/workflows/evals.yml")).toContain(block.replace("```yaml\n", ""));
});

test("our workflows stop where a part of a pipe fails", () => {
  for (const name of readdirSync(join(ROOT, ".github/workflows"))) {
    const { defaults, jobs } = parse(read(`.github/workflows/${name}`)) as {
      defaults?: object;
      jobs: object;
    };
    if (JSON.stringify(jobs).includes('"run":'))
      expect([name, defaults]).toEqual([name, { run: { shell: "bash" } }]);
  }
});

test("workflows to copy use other actions by one commit each, and our own by their tag", () => {
  const used = ["examples/workflows", "examples/recipes", ".github/workflows"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) =>
      [...read(`${folder}/${name}`).matchAll(/uses: ([\w./-]+)@(.*)$/gm)].map(([, action = "", ref = ""]) => [
        // The parts of one repository are of one commit.
        action.split("/").slice(0, 2).join("/"),
        ref.replace(/ # (?!v).*/, ""),
      ]),
    ),
  );
  const refs = Map.groupBy(used, ([repository]) => repository);
  for (const [repository, its] of refs)
    expect([repository, new Set(its.map(([, ref]) => ref)).size]).toEqual([repository, 1]);
  expect(refs.get("org/waza-grade")?.[0]?.[1]).toBe("v1");
  for (const [repository, ref = ""] of used)
    if (repository !== "org/waza-grade") expect(ref).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("the pages link each workflow of examples/recipes", () => {
  const there = readdirSync(join(ROOT, "examples/recipes"));
  const linked = PAGES.flatMap((page) => [...read(page).matchAll(/examples\/recipes\/([\w-]+\.yml)\)/g)]);
  expect(linked.map(([, name]) => name).sort()).toEqual(there.sort());
});

describe("what carries the project on", () => {
  const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) =>
    read(`.github/workflows/${name}`),
  );

  test("CONTRIBUTING.md names files and scripts that there are", () => {
    const page = read("CONTRIBUTING.md");
    const named = [...page.matchAll(/`((?:src|__tests__|scripts|docs|\.github|\.ci)\/[\w./-]+)`/g)];
    expect(named.length).toBeGreaterThan(20);
    for (const [, path = ""] of named) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const [, name = ""] of page.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([name]);
  });

  test("workflows use actions by their commits, may nothing but what a job says, and end in a job to require", () => {
    for (const text of workflows) {
      const { permissions } = parse(text) as { permissions: unknown };
      expect(permissions).toEqual({});
      for (const [, used = ""] of text.matchAll(/uses: (?![.$]\/)(.*)/g))
        expect(used).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    const { jobs } = parse(read(".github/workflows/ci.yml")) as {
      jobs: Record<string, { needs?: string[] }>;
    };
    const { ok, ...others } = jobs;
    expect(ok?.needs?.toSorted()).toEqual(Object.keys(others).sort());
  });
});

test("dependencies are pinned, and the lock file carries no download addresses", () => {
  const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    for (const version of Object.values(manifest[kind] ?? {}))
      expect(version).toMatch(/^(npm:.*@)?\d+\.\d+\.\d+$/);
  }
  expect(read("package-lock.json")).not.toContain('"resolved"');
});
