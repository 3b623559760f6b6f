import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * Import directions (docs/architecture.md): a stage sees the domain and the leaves, never another stage; only grade
 * sees judge. Each entry lists all that the files may import of ours, and of the packages that are kept to a few.
 */
const LEAVES = ["domain", "duration", "errors", "format", "suggest"];
/** Pure functions over grade records: the comparison with a baseline, and with people's labels. */
const COMPARING = [
  "statistics",
  "exact-test",
  "grade-record",
  "pairs",
  "task-runs",
  "compare",
  "comparison-sentence",
  "labels",
  "label-rows",
  "label-match",
];
const RESTRICTED_PACKAGES = [
  "@actions/core",
  "@actions/github",
  "@octokit",
  "@actions/http-client",
  "@pydantic/genai-prices",
  "openai",
  "undici",
  "yaml",
  "tinyglobby",
  "p-limit",
  "zod",
  "@humanwhocodes/momoa",
  "csv-parse",
  "csv-stringify",
  "fast-xml-builder",
];

const directions = [
  { files: ["src/domain.ts", "src/errors.ts", "src/suggest.ts"], ours: [], packages: [] },
  { files: ["src/format.ts"], ours: ["domain"], packages: [] },
  { files: ["src/confine.ts"], ours: [], packages: [] },
  { files: ["src/files.ts"], ours: ["confine", "domain", "errors"], packages: ["tinyglobby"] },
  { files: ["src/input-reader.ts"], ours: LEAVES, packages: ["@actions/core"] },
  {
    files: ["src/inputs.ts"],
    ours: [
      ...LEAVES,
      "confine",
      "files",
      "input-reader",
      "judge/header-values",
      "judge/providers",
      "judge/prices",
    ],
    packages: ["@actions/core"],
  },
  { files: ["src/github.ts"], ours: LEAVES, packages: ["@actions/github", "zod"] },
  { files: ["src/github-client.ts"], ours: LEAVES, packages: ["@actions/github", "@octokit"] },
  { files: ["src/github-api.ts"], ours: [...LEAVES, "github", "github-client"], packages: [] },
  { files: ["src/progress.ts"], ours: LEAVES, packages: [] },
  { files: ["src/waza/**"], ours: [...LEAVES, "confine", "files"], packages: ["yaml", "zod", "csv-parse"] },
  {
    files: ["src/outputs/**"],
    ours: [...LEAVES, "confine", "files"],
    packages: ["zod", "@humanwhocodes/momoa"],
  },
  {
    files: [
      "src/plan.ts",
      "src/plan-problems.ts",
      "src/planned-tasks.ts",
      "src/planned-runs.ts",
      "src/settled.ts",
    ],
    ours: [...LEAVES, "plan-problems", "planned-tasks", "planned-runs", "settled", "task-globs"],
    packages: [],
  },
  {
    files: [
      "src/same-runs.ts",
      "src/alike.ts",
      "src/score.ts",
      "src/silent-judges.ts",
      "src/task-globs.ts",
      "src/dry-run.ts",
    ],
    ours: LEAVES,
    packages: [],
  },
  {
    files: ["src/gate.ts", "src/gate-facts.ts", "src/gate-sentences.ts"],
    ours: [...LEAVES, "gate-facts", "gate-sentences", "missing", "dead-runs"],
    packages: [],
  },
  {
    files: ["src/missing.ts", "src/dead-runs.ts", "src/run-problems.ts"],
    ours: [...LEAVES, "missing", "dead-runs"],
    packages: [],
  },
  {
    files: [...COMPARING, "regression-gate", "agreement"].map((name) => `src/${name}.ts`),
    ours: [...LEAVES, ...COMPARING],
    packages: [],
  },
  { files: ["src/labels.ts"], ours: [...LEAVES, ...COMPARING], packages: ["csv-stringify"] },
  { files: ["src/label-rows.ts"], ours: [...LEAVES, "waza/csv-table"], packages: [] },
  { files: ["src/changes.ts"], ours: [...LEAVES, "github", "github-api"], packages: [] },
  { files: ["src/changed-only.ts"], ours: [...LEAVES, "changes"], packages: [] },
  {
    files: ["src/workspaces.ts", "src/kept-workspaces.ts"],
    ours: [...LEAVES, "confine", "files"],
    packages: [],
  },
  { files: ["src/judge/**"], ours: [...LEAVES, "confine", "files"], packages: ["zod"] },
  { files: ["src/judge/providers.ts"], ours: LEAVES, packages: ["yaml", "zod"] },
  {
    files: ["src/judge/json-verdict.ts"],
    ours: LEAVES,
    packages: ["zod", "@humanwhocodes/momoa"],
  },
  { files: ["src/judge/client.ts"], ours: LEAVES, packages: ["openai"] },
  { files: ["src/judge/judge-fetch.ts"], ours: LEAVES, packages: ["undici", "@actions/http-client"] },
  { files: ["src/judge/prices.ts"], ours: LEAVES, packages: ["@pydantic/genai-prices"] },
  { files: ["src/grade.ts"], ours: [...LEAVES, "judge/[\\w-]+"], packages: ["p-limit"] },
  { files: ["src/report/**"], ours: [...LEAVES, "run-problems"], packages: [] },
  {
    files: ["src/report/check-run.ts", "src/report/comment.ts"],
    ours: [...LEAVES, "github", "github-api"],
    packages: [],
  },
  {
    files: ["src/report/job-annotations.ts", "src/report/step-outputs.ts"],
    ours: LEAVES,
    packages: ["@actions/core"],
  },
  {
    files: ["src/report/junit.ts"],
    ours: LEAVES,
    packages: ["fast-xml-builder"],
  },
  {
    files: ["src/preflight.ts"],
    ours: [...LEAVES, "confine", "files", "github", "inputs", "plan", "judge/providers", "judge/prices"],
    packages: [],
  },
  { files: ["src/run.ts"], ours: ["(?!index\\.).*"], packages: [] },
];

function direction({ files, ours, packages }) {
  const allowed = ours.map((name) => `${name}\\.ts$`).join("|") || "$^";
  const forbidden = RESTRICTED_PACKAGES.filter((name) => !packages.includes(name));
  const message = "This import goes against the directions in docs/architecture.md.";
  const nested = files.some((glob) => /^src\/\w+\//.test(glob));
  return {
    files,
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex: nested ? `^\\.\\./(?!(?:${allowed}))` : `^\\./(?!(?:${allowed}))`, message },
            { regex: nested ? "^\\.\\./\\.\\./" : "^\\.\\./", message },
            { regex: `^(?:${forbidden.join("|")})(?:/|$)`, message },
          ],
        },
      ],
    },
  };
}

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
      eqeqeq: "error",
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 3],
    },
  },
  ...directions.map(direction),
  {
    files: ["__tests__/**", "scripts/**"],
    rules: {
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
