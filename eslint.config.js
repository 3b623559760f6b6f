import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import eslint from "@eslint/js";
import * as regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

/**
 * Import directions (docs/maintainers/architecture.md): values go from left to right, so a room sees the rooms named here and no
 * other. All see types and small helpers. Packages are kept to the files that exist for them.
 */
const HELPERS = ["domain/", "text/"];
const ROOMS = {
  domain: ["text/optional"],
  text: ["domain/"],
  safety: HELPERS,
  files: HELPERS,
  network: HELPERS,
  github: [...HELPERS, "files/confine", "files/git", "files/write", "network/"],
  inputs: [...HELPERS, "safety/secrets", "files/", "judge/api/wire", "judge/spend"],
  evals: [...HELPERS, "files/"],
  outputs: [...HELPERS, "files/"],
  judge: [...HELPERS, "safety/secrets", "files/", "network/"],
  plan: [
    ...HELPERS,
    "files/",
    "outputs/",
    "github/context",
    "github/changes",
    "inputs/",
    "judge/api/wire",
    "judge/spend",
  ],
  runner: [
    ...HELPERS,
    "files/",
    "github/changes",
    "inputs/input-reader",
    "evals/",
    "outputs/",
    "judge/",
    "plan/",
    "safety/",
  ],
  results: [...HELPERS, "files/", "judge/", "outputs/"],
  kit: [...HELPERS, "judge/", "results/", "decide/judge-problems"],
  decide: [...HELPERS, "results/", "labels/"],
  labels: [...HELPERS, "safety/sanitize", "files/", "judge/digest", "evals/csv", "results/"],
  report: [...HELPERS, "safety/", "decide/", "files/write", "github/", "labels/", "results/"],
  log: [...HELPERS, "safety/", "report/document/"],
  cli: [
    ...HELPERS,
    "files/",
    "safety/",
    "results/row-file",
    "evals/",
    "runner/agents",
    "runner/choose-runs",
    "plan/runs",
  ],
};
/** The steps put the rooms together, run.ts the steps, and action.ts the clients; the command line is index.ts's alone. */
const STEPS = Object.keys(ROOMS).flatMap((room) => (room === "cli" ? [] : `${room}/`));

const PACKAGES = {
  "@actions/core": ["src/inputs/*", "src/log/*", "src/report/publishers/*", "src/runner/run-options.ts"],
  "@actions/github": ["src/github/*"],
  "@actions/http-client": ["src/network/*"],
  "@humanwhocodes/momoa": ["src/evals/json.ts", "src/outputs/**", "src/judge/judge-call.ts"],
  "@octokit": ["src/github/*"],
  "@pydantic/genai-prices": ["src/judge/spend.ts"],
  "csv-parse": ["src/evals/csv.ts"],
  "csv-stringify": ["src/labels/*"],
  "fast-xml-builder": ["src/report/junit.ts"],
  "@discoveryjs/json-ext": ["src/report/results-file.ts"],
  openai: ["src/judge/api/client.ts"],
  "p-limit": [
    "src/files/*",
    "src/github/api.ts",
    "src/runner/run-evals.ts",
    "src/judge/grade.ts",
    "src/judge/api/retry.ts",
  ],
  tinyglobby: ["src/files/*"],
  undici: ["src/network/*", "src/github/*", "src/judge/api/client.ts"],
  yauzl: ["src/github/*"],
  yaml: ["src/evals/*", "src/inputs/more-inputs.ts", "src/inputs/providers.ts", "src/cli/flags.ts"],
  zod: [
    "src/text/optional.ts",
    "src/domain/*",
    "src/evals/*",
    "src/outputs/**",
    "src/results/*",
    "src/report/record.ts",
    "src/judge/**",
    "src/github/*",
    "src/inputs/providers.ts",
    "src/cli/flags.ts",
  ],
};

/** What writes, copies, links or removes, or opens a file for it; `files/` has them, and follows no link. */
const WRITERS =
  /^(?:append|[fl]?ch(?:mod|own)|copy|cp|createWrite|link|l?utimes|mkdir|open(?:Sync)?$|promises$|rename|rm|symlink|f?truncate|unlink|write)/;
const WRITES = `ImportDeclaration[source.value=/^(node:)?fs/] > :matches(ImportSpecifier[imported.name=${String(WRITERS)}], ImportNamespaceSpecifier, ImportDefaultSpecifier)`;
/** The few others that write. */
const OTHER_WRITERS = [
  // Renames and cleans what an agent left by names of bytes, which need not be UTF-8; it looks at each entry and enters no link.
  "src/runner/clean-work.ts",
  // Writes what a program prints to a file that is open, and knows no path.
  "src/runner/start-program.ts",
];

const message = "This import goes against the directions in docs/maintainers/architecture.md.";

/** Pattern of what may not be imported from `up`, by a file that sees these rooms. */
function pattern(up, seen) {
  const allowed = seen.map((name) => (name.endsWith("/") ? name : `${name}\\.ts$`)).join("|");
  return { regex: `^${up.replaceAll(".", "\\.")}(?!${allowed})`, message };
}

/** Packages that a file of the glob may not import. */
function packagesFor(glob) {
  const isOf = (owner) => owner === glob || glob.startsWith(owner.replace(/\*+$/, ""));
  const closed = Object.entries(PACKAGES).filter(([, owners]) => !owners.some(isOf));
  return closed.map(([name]) => ({ regex: `^${name}(?:/|$)`, message }));
}

const globs = [
  { glob: "src/action.ts", patterns: [pattern("./", [...STEPS, "steps/", "run"])] },
  { glob: "src/run.ts", patterns: [pattern("./", [...STEPS, "steps/"])] },
  { glob: "src/steps/*.ts", patterns: [pattern("../", STEPS)] },
  ...Object.entries(ROOMS).flatMap(([room, seen]) => [
    { glob: `src/${room}/*.ts`, patterns: [pattern("../", seen.length > 0 ? seen : ["nothing"])] },
    { glob: `src/${room}/*/*.ts`, patterns: [pattern("../../", seen.length > 0 ? seen : ["nothing"])] },
  ]),
];

/** Each file that owns a package has a rule of its own, since the last rule of a file counts alone. */
const directions = globs.flatMap(({ glob, patterns }) => {
  const folder = glob.replace(/\*.*$/, "");
  const depth = glob.split("/").length;
  const owners = [...new Set(Object.values(PACKAGES).flat())].filter(
    (owner) =>
      owner.startsWith(folder) && owner !== folder && owner.replace("**", "*").split("/").length === depth,
  );
  const own = [
    glob,
    ...owners.filter((owner) => `${owner}.ts` !== glob && owner !== glob && !owner.endsWith("**")),
  ];
  return own.map((files) => ({
    files: [files.endsWith(".ts") ? files : `${files}.ts`],
    rules: { "no-restricted-imports": ["error", { patterns: [...patterns, ...packagesFor(files)] }] },
  }));
});

/** Files that a file imports, types too: a reader of one has to know the others. */
const imports = new Map();
function importsOf(file) {
  if (!imports.has(file)) {
    const found = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+\.ts)"/g);
    imports.set(
      file,
      [...found].map(([, path]) => resolve(dirname(file), path)),
    );
  }
  return imports.get(file);
}

/** The files from one to another along imports; undefined where no way leads there. */
function wayTo(goal, from) {
  const before = new Map([[from, undefined]]);
  for (const file of before.keys()) {
    if (file === goal) {
      const way = [];
      for (let one = file; one !== undefined; one = before.get(one)) way.unshift(one);
      return way;
    }
    for (const next of importsOf(file)) if (!before.has(next)) before.set(next, file);
  }
  return undefined;
}

/** No file reaches itself through its imports. */
const circles = {
  create: (context) => ({
    ImportDeclaration(node) {
      const path = node.source.value;
      if (!path.startsWith(".")) return;
      const way = wayTo(context.filename, resolve(dirname(context.filename), path));
      if (way === undefined) return;
      const names = way.map((file) => file.replace(/^.*\/src\//, "")).join(", ");
      context.report({ node, message: `A circle of files: ${names}. Move what both need to one of them.` });
    },
  }),
};

const QUADRATIC = {
  selector: "ImportSpecifier[imported.name='stripVTControlCharacters']",
  message: "It takes quadratic time: use withoutTerminalCodes.",
};

export default tseslint.config(
  { ignores: ["dist/", "lib/", "coverage/", "node_modules/"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      complexity: ["error", 19],
      eqeqeq: "error",
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 3],
    },
  },
  ...directions,
  {
    // What others wrote is read by patterns: none takes more than linear time. Imports make no circles.
    files: ["src/**/*.ts"],
    plugins: { regexp, own: { rules: { circles } } },
    rules: {
      "own/circles": "error",
      "no-restricted-syntax": ["error", QUADRATIC],
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignoreSticky: true }],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/files/*.ts", ...OTHER_WRITERS],
    rules: {
      "no-restricted-syntax": [
        "error",
        QUADRATIC,
        { selector: WRITES, message: "Write by src/files/write.ts and remove.ts, which follow no link." },
      ],
    },
  },
  {
    files: ["__tests__/**", "scripts/**"],
    rules: {
      complexity: "off",
      "max-lines-per-function": "off",
      "max-params": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly" } },
  },
);
