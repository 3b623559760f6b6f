// What scripts/fuzz.ts makes projects of: files of every format, of other tools, damaged, and links that lead anywhere.
import fc from "fast-check";
import { stringify } from "yaml";

/** Text of files that must never be read: outside the repository, and in its `.git`. */
export const CANARY = "CANARY-7f3a9c";

/** Names of files that eval and task files may hold: most lie there, or are links; the others lead out, or nowhere. */
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("fixture", "fixture/a.txt", "linked", "linked/secret.txt", "link.txt"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        "./rubric.md",
        "cases.csv",
        "../../outside",
        "../../outside/secret.txt",
        "/etc/passwd",
        ".git/config",
      ],
      ...["../.git", ".", "", "gone", "a\u0000b"],
    ),
  },
);

/** Words that mean something to one of the readers, and text that means nothing to any. */
const word = fc.oneof(
  fc.constantFrom(
    "prompt",
    "text",
    "g",
    "task-1",
    "true",
    "no",
    "~",
    "0",
    "-1",
    "1e308",
    "*a",
    "&a",
    "!!js/function x",
    "<<",
  ),
  fc.constantFrom(
    "::error::x",
    "</details>",
    "`",
    "|",
    "@mona",
    "\u0000",
    "\u001B[31m",
    "\uD800",
    "__proto__",
    "constructor",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  map: fc.dictionary(word, tie("tree"), { maxKeys: 4 }),
}));
/** Rarely something else: of a project's dozens of values most have to be right, or nothing behind the schemas is met. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 100, arbitrary: arbitrary }, { weight: 1, arbitrary: tree });

/** The first nine times of ten, else one of the others. */
const mostly = <T, U>(first: T, ...others: U[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
/** Nothing nine times of ten. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const question = word.filter((text) => text.trim() !== "" && text !== "~");
const rubric = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("groundedness", "") },
  { weight: 1, arbitrary: name },
);
const grader = fc.record(
  {
    type: maybe(fc.constant("prompt")),
    name: maybe(word),
    weight: maybe(fc.double({ min: -1, max: 5, noNaN: true })),
    config: maybe(
      fc.record(
        {
          prompt: maybe(question),
          model: maybe(word),
          rubric: maybe(rubric),
          continue_session: maybe(fc.boolean()),
        },
        { requiredKeys: ["prompt"] },
      ),
    ),
  },
  { requiredKeys: ["type", "config"] },
);
const evalFile = fc.record(
  {
    name: maybe(word),
    graders: maybe(fc.array(maybe(grader), { maxLength: 4 })),
    tasks: maybe(mostly(["tasks/*.yaml"], ["linked/*.yaml"], ["tasks/**/*", "!tasks/link.yaml"])),
    tasks_from: rarely(mostly("cases.csv", "link.txt", "../../outside/cases.csv")),
    range: rarely(mostly([0, 0], [1, 2], [2, 1])),
    config: maybe(fc.record({ judge_model: maybe(word), checkpoints: tree }, { requiredKeys: [] })),
  },
  { requiredKeys: ["graders"] },
);
const taskFile = fc.record(
  {
    id: maybe(fc.constantFrom("task-1", "task-2")),
    name: maybe(word),
    inputs: maybe(
      fc.record(
        {
          prompt: maybe(word),
          prompt_file: maybe(name),
          context: maybe(fc.record({ fixture: maybe(name) })),
          files: maybe(fc.array(maybe(fc.record({ path: maybe(name) })), { maxLength: 2 })),
        },
        { requiredKeys: [] },
      ),
    ),
    context_dir: maybe(name),
    graders: maybe(fc.array(maybe(grader), { maxLength: 3 })),
    enabled: maybe(mostly<boolean, boolean | string>(true, "yes", false, "maybe")),
  },
  { requiredKeys: ["id"] },
);
const event = fc.record(
  {
    type: maybe(
      fc.constantFrom(
        "user.message",
        "assistant.message",
        "tool.execution_start",
        "tool.execution_complete",
        "session.error",
        "ToolExecutionStart",
      ),
    ),
    content: maybe(word),
    message: maybe(word),
    arguments: tree,
    success: maybe(fc.boolean()),
    tool_call_id: maybe(fc.constantFrom("1", "2")),
    tool_name: maybe(word),
    tool_result: maybe(fc.record({ content: tree })),
  },
  { requiredKeys: ["type"] },
);
/** Values of `workspace_dir`, which is not read. */
const PLACES = ["/", "", "kept", "\u0000"];
const run = fc.record(
  {
    run_number: maybe(fc.integer()),
    prompt: maybe(word),
    status: maybe(fc.constantFrom("passed", "failed", "error", "skipped", "timeout")),
    workspace_dir: maybe(fc.constantFrom(...PLACES)),
    final_output: maybe(word),
    error_msg: maybe(fc.constantFrom("", "running graders: x", "timeout")),
    transcript: maybe(fc.array(maybe(event), { maxLength: 6 })),
    validations: maybe(
      fc.dictionary(word, maybe(fc.record({ score: tree, passed: tree, weight: tree })), { maxKeys: 3 }),
    ),
    session_digest: tree,
  },
  { requiredKeys: [] },
);
const results = fc.record(
  {
    eval_name: maybe(word),
    timestamp: maybe(word),
    config: maybe(fc.record({ model_id: maybe(word), runs_per_test: tree })),
    summary: tree,
    is_baseline: tree,
    baseline_outcome: tree,
    tasks: maybe(
      fc.array(
        maybe(
          fc.record({
            test_id: maybe(fc.constantFrom("task-1", "task-2")),
            display_name: maybe(word),
            runs: maybe(fc.array(maybe(run), { maxLength: 3 })),
          }),
        ),
        { maxLength: 3 },
      ),
    ),
  },
  { requiredKeys: ["tasks"] },
);

/** A text as it is, or with a piece taken out, doubled or replaced by a word. */
const damaged = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 12, arbitrary: text },
    {
      weight: 1,
      arbitrary: fc.tuple(text, fc.nat(), fc.nat(20), word).map(([whole, at, length, put]) => {
        const start = whole.length === 0 ? 0 : at % whole.length;
        return `${whole.slice(0, start)}${put}${whole.slice(start + length)}`;
      }),
    },
  );
const asYaml = (value: unknown): string => {
  try {
    return stringify(value);
  } catch {
    return JSON.stringify(value);
  }
};
const message = fc.record(
  {
    role: maybe(fc.constantFrom("user", "assistant", "tool", "system")),
    content: maybe(word),
    tool_calls: maybe(
      fc.array(maybe(fc.record({ id: word, function: maybe(fc.record({ name: word, arguments: tree })) })), {
        maxLength: 2,
      }),
    ),
    tool_call_id: maybe(word),
  },
  { requiredKeys: ["role"] },
);
const recordLine = fc.record(
  {
    task_id: maybe(fc.constantFrom("task-1", "task-2", 7)),
    output: maybe(word),
    messages: maybe(fc.array(maybe(message), { maxLength: 4 })),
    model: maybe(word),
    trial: tree,
    error: tree,
  },
  { requiredKeys: ["task_id"] },
);
const logLine = fc.record(
  {
    type: maybe(fc.constantFrom("system", "user", "assistant", "result")),
    isSidechain: maybe(fc.boolean()),
    isMeta: maybe(fc.boolean()),
    isSynthetic: maybe(fc.boolean()),
    message: maybe(
      fc.record({
        role: word,
        content: maybe(
          fc.array(
            maybe(
              fc.record(
                {
                  type: fc.constantFrom("text", "tool_use", "tool_result", "thinking"),
                  text: maybe(word),
                  id: maybe(word),
                  name: maybe(word),
                  input: tree,
                  tool_use_id: maybe(word),
                  content: tree,
                },
                { requiredKeys: ["type"] },
              ),
            ),
            { maxLength: 3 },
          ),
        ),
      }),
    ),
    result: maybe(word),
    is_error: tree,
    session_id: maybe(word),
    subtype: maybe(fc.constantFrom("init", "success", "error_max_turns")),
  },
  { requiredKeys: ["type"] },
);
const transcriptFile = fc.record(
  {
    task_id: maybe(fc.constantFrom("task-1", "task-2")),
    status: maybe(word),
    prompt: maybe(word),
    final_output: maybe(word),
    transcript: maybe(fc.array(maybe(event), { maxLength: 6 })),
  },
  { requiredKeys: ["task_id", "transcript"] },
);
const asLines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
/** Another file of outputs, named for a task or not. */
const otherOutputs = fc.tuple(
  fc.constantFrom("task-1.jsonl", "task-1.json", "task-1.2.txt", "log.json", "task-1.md"),
  damaged(
    fc.oneof(
      fc.array(maybe(recordLine), { maxLength: 4 }).map(asLines),
      fc.array(maybe(logLine), { maxLength: 5 }).map(asLines),
      fc.array(maybe(logLine), { maxLength: 5 }).map((value) => JSON.stringify(value)),
      transcriptFile.map((value) => JSON.stringify(value)),
    ),
  ),
);
/** Files of other tools, and of ours in the wrong place. */
const foreign = fc.oneof(
  fc.record(
    { stimuli: tree, graders: maybe(fc.array(grader, { maxLength: 2 })) },
    { requiredKeys: ["stimuli"] },
  ),
  fc.record({ name: maybe(word), cases: tree }, { requiredKeys: ["cases"] }),
  fc.record({ results: tree, evalId: word }),
  results,
  transcriptFile,
  fc.array(recordLine, { maxLength: 3 }),
);
const ENCODINGS = [...Array.from({ length: 20 }, () => "utf8"), "marked", "utf16le", "utf16be", "latin1"];
/** A text in one of the encodings that people write. */
const encoded = (text: fc.Arbitrary<string>) => fc.tuple(text, fc.constantFrom(...ENCODINGS)).map(encode);

function encode([text, encoding]: readonly [string, string]): Buffer {
  if (encoding === "marked") return Buffer.from(`\uFEFF${text}`);
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  if (encoding === "utf8") return Buffer.from(text);
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return encoding === "utf16be" ? bytes.swap16() : bytes;
}

/** Paths of a project that are read, to be replaced by links. */
const LINKS = [
  ...[
    "evals/eval.yaml",
    "evals/tasks",
    "evals/tasks/link.yaml",
    "evals/linked",
    "evals/link.txt",
    "evals/fixture",
  ],
  ...[
    "evals/rubric.md",
    "evals/cases.csv",
    "evals/tasks/linked",
    ".waza.yaml",
    "results.json",
    "out",
    "out/link.json",
  ],
  ...["out/task-1.md", "out/task-1.jsonl", "kept", "fixture"],
];
/** Where they lead: out, into `.git`, to another link, to themselves, nowhere, and where they may. */
const TARGETS = [
  ...["outside", "outside/task.yaml", "outside/eval.yaml", "outside/results.json", "outside/rubric.md"],
  ...[
    "outside/cases.csv",
    "outside/secret.txt",
    "outside/.waza.yaml",
    "outside/log.jsonl",
    "repository/.git/config",
  ],
  ...[
    "repository/.git",
    "repository/evals/tasks/task.yaml",
    "repository/evals/fixture",
    "repository/evals/link.txt",
  ],
  ...["repository", "gone", "itself"],
];
const links = fc.array(fc.record({ at: fc.constantFrom(...LINKS), to: fc.constantFrom(...TARGETS) }), {
  maxLength: 4,
});

/** What a file of a project holds, or where its links lead. */
export const project = fc.record({
  otherOutputs,
  evalText: encoded(
    damaged(
      maybe(fc.oneof({ weight: 12, arbitrary: evalFile }, { weight: 1, arbitrary: foreign })).map(asYaml),
    ),
  ),
  taskText: encoded(damaged(maybe(taskFile).map(asYaml))),
  resultsText: encoded(
    damaged(
      maybe(fc.oneof({ weight: 12, arbitrary: results }, { weight: 1, arbitrary: foreign })).map((value) =>
        JSON.stringify(value),
      ),
    ),
  ),
  links,
});

export type FuzzProject = typeof project extends fc.Arbitrary<infer T> ? T : never;
