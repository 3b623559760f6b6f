import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * Import directions (docs/architecture.md): values go from left to right, so a room sees the leaves and the rooms named
 * here, and no other; `run.ts` sees all rooms, `index.ts` everything. Packages are kept to the files that exist for them.
 */
const LEAVES = [
  "all-grades",
  "connections",
  "domain",
  "duration",
  "errors",
  "format",
  "glob",
  "once",
  "pair",
  "optional",
  "problem",
  "states",
  "suggest",
  "version",
];
const ROOMS = {
  files: [],
  github: [],
  inputs: ["files/", "github/context", "judge/api/endpoint", "judge/spend/prices", "plan/plan"],
  waza: ["files/"],
  outputs: ["files/"],
  plan: ["github/changes"],
  judge: ["files/"],
  gate: ["compare/", "labels/agreement"],
  compare: [
    "files/",
    "judge/grade-tools",
    "judge/hash",
    "judge/evidence/messages",
    "judge/files/folder",
    "outputs/content",
    "outputs/copies",
  ],
  labels: ["compare/", "files/", "judge/evidence/digest", "judge/hash", "waza/csv/table"],
  report: [
    "compare/",
    "files/write",
    "labels/",
    "gate/missed-goldens",
    "gate/run-problems",
    "github/api",
    "github/context",
  ],
  log: ["report/neutralise", "report/redact"],
  "command-line": ["files/confine", "report/neutralise", "report/sinks/drawing", "waza/load-suite"],
};

/** The files at the top, with the rooms that they see; the leaves see only each other. */
const ALL = Object.keys(ROOMS).map((room) => `${room}/`);
const TOP = {
  alike: [],
  grade: ["judge/"],
  cancellation: [],
  progress: ["log/log"],
  "make-judge": ["inputs/", "judge/"],
  "make-sinks": ["github/", "inputs/inputs", "log/", "steps/publish", "report/"],
  run: [...ALL, "alike", "grade", "progress", "steps/"],
};
const PACKAGES = {
  "@actions/core": ["src/inputs/*", "src/log/*", "src/report/sinks/*"],
  "@actions/github": ["src/github/*"],
  "@actions/http-client": ["src/connections.ts"],
  "@humanwhocodes/momoa": ["src/outputs/**", "src/judge/api/json-verdict.ts"],
  "@octokit": ["src/github/*"],
  "@pydantic/genai-prices": ["src/judge/spend/prices.ts"],
  "csv-parse": ["src/waza/csv/*"],
  "csv-stringify": ["src/labels/*"],
  "fast-xml-builder": ["src/report/cases/*"],
  openai: ["src/judge/api/client.ts"],
  "p-limit": ["src/files/*", "src/grade.ts", "src/judge/api/pace.ts"],
  tinyglobby: ["src/files/*"],
  undici: ["src/connections.ts", "src/github/*", "src/judge/api/fetch.ts"],
  yaml: ["src/waza/**", "src/inputs/providers.ts", "src/command-line/declared-inputs.ts"],
  zod: [
    "src/optional.ts",
    "src/waza/**",
    "src/outputs/**",
    "src/compare/*",
    "src/judge/**",
    "src/github/*",
    "src/inputs/providers.ts",
    "src/command-line/declared-inputs.ts",
  ],
};

const message = "This import goes against the directions in docs/architecture.md.";

/** Patterns of what may not be imported: one direction for files at each depth of a room. */
function pattern(up, seen) {
  const allowed = [...LEAVES, ...seen].map((name) => (name.endsWith("/") ? name : `${name}\\.ts$`)).join("|");
  return { regex: `^${up.replaceAll(".", "\\.")}(?!${allowed})`, message };
}

/** Packages that a file of the glob may not import. */
function packagesFor(glob) {
  const isOf = (owner) => owner === glob || glob.startsWith(owner.replace(/\*+$/, ""));
  const closed = Object.entries(PACKAGES).filter(([, owners]) => !owners.some(isOf));
  return closed.map(([name]) => ({ regex: `^${name}(?:/|$)`, message }));
}

const globs = [
  // The steps of run.ts put the rooms together.
  { glob: "src/steps/*.ts", patterns: [pattern("../", [...ALL, "alike", "grade", "progress"])] },
  ...Object.entries(TOP).map(([name, seen]) => ({ glob: `src/${name}.ts`, patterns: [pattern("./", seen)] })),
  // The report, a type of the domain, holds what the pure rooms return.
  ...LEAVES.map((name) => ({
    glob: `src/${name}.ts`,
    patterns: [
      pattern("./", name === "domain" ? ["compare/compare", "compare/grade-record", "labels/agreement"] : []),
    ],
  })),
  ...Object.entries(ROOMS).flatMap(([room, seen]) => [
    { glob: `src/${room}/*.ts`, patterns: [pattern("../", seen)] },
    { glob: `src/${room}/*/*.ts`, patterns: [pattern("../../", seen)] },
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
  const own = [glob, ...owners.filter((owner) => owner !== glob && !owner.endsWith("**"))];
  return own.map((files) => ({
    files: [files.endsWith(".ts") ? files : `${files}.ts`],
    rules: { "no-restricted-imports": ["error", { patterns: [...patterns, ...packagesFor(files)] }] },
  }));
});

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
