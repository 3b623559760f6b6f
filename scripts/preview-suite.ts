// What the pages of `npm run preview` are of: suites as files, results as waza writes them, and a judge that answers from
// a script. Everything else is the bundled action's doing.
import { stringify } from "yaml";
import { fail, finish, pass } from "../__tests__/support/judge-server.ts";
import type { Asked, Call, Reply } from "../__tests__/support/judge-server.ts";
import { resultsFixture, runFixture } from "../__tests__/support/projects.ts";
import type { RunFixture } from "../__tests__/support/projects.ts";

export const SONNET = "claude-sonnet-5.5";
export const MINI = "gpt-6.1-terra";

export interface PreviewGrader {
  readonly name: string;
  readonly weight?: number;
  readonly config: { readonly prompt: string; readonly rubric?: string };
  /** What the judge calls when all is well. */
  readonly green: readonly Call[];
}

export interface PreviewTask {
  readonly id: string;
  readonly prompt: string;
  readonly golden?: boolean;
}

export interface PreviewSuite {
  readonly name: string;
  readonly graders: readonly PreviewGrader[];
  readonly tasks: readonly PreviewTask[];
  readonly answer: string;
}

/** A run and the grader that it is judged by. */
export interface Judged {
  readonly task: string;
  readonly model: string;
  readonly run: number;
  readonly grader: string;
}

/** Files of a suite below `skills/`. */
export function suiteFiles({ name, graders, tasks }: PreviewSuite): Record<string, string> {
  const folder = `skills/${name}/evals`;
  const own = graders.map(({ name, weight, config }) => ({ type: "prompt", name, weight, config }));
  const files = tasks.map(({ id, prompt, golden }, index) => [
    `${folder}/tasks/${String(index + 1).padStart(2, "0")}.yaml`,
    stringify({ id, name: id, golden, inputs: { prompt } }),
  ]);
  return {
    [`${folder}/eval.yaml`]: stringify({ name, skill: name, tasks: ["tasks/*.yaml"], graders: own }),
    ...(Object.fromEntries(files) as Record<string, string>),
  };
}

/** Results of some runs of every task by one model; `more` adds to a run. */
export function resultsOf(
  { name, tasks, answer }: PreviewSuite,
  model: string,
  numbers: readonly number[],
  more: (task: string, run: number) => RunFixture = () => ({}),
): Record<string, unknown> {
  const runs = ({ id, prompt }: PreviewTask) =>
    numbers.map((run) =>
      runFixture({
        run_number: run,
        prompt,
        final_output: `${answer}\nDrafted by ${model}, attempt ${String(run)}, for ${id}.\n`,
        validations: { "under-400-words": LENGTH },
        transcript: [
          { type: "user.message", content: prompt },
          { type: "tool.execution_start", tool_call_id: "1", tool_name: "bash", arguments: LOG.input },
          { type: "tool.execution_complete", tool_call_id: "1", success: true, tool_result: LOG.result },
        ],
        ...more(id, run),
      }),
    );
  const made = tasks.map((task) => ({ id: task.id, runs: runs(task) }));
  return resultsFixture(name, made, model, numbers.length);
}

const LOG = {
  input: { command: "git log --oneline v4.1.0..v4.2.0" },
  result: {
    content: "9d3f2ab Read manifests of more than 1 MB faster\n1c07e55 Call the key `tools` `requires`\n",
  },
};
const LENGTH = { type: "text", score: 1, weight: 1, passed: true, feedback: "212 words" };

/** A judge that makes each grader's passing calls, unless `otherwise` returns others. */
export function judgeOf(
  suites: readonly PreviewSuite[],
  otherwise: (judged: Judged) => Reply | readonly Call[] | undefined = () => undefined,
): (asked: Asked) => Reply {
  const graders = suites.flatMap((suite) => suite.graders);
  return ({ prompt, evidence, turn }) => {
    const grader = graders.find(({ config }) => prompt.includes(config.prompt.trim()));
    const [, model = "", run = "1", task = ""] =
      /Drafted by (.+?), attempt (\d+), for (.+)\.$/mu.exec(evidence) ?? [];
    if (!grader || task === "") throw new Error(`No grader or run for ${prompt}`);
    const said = otherwise({ task, model, run: Number(run), grader: grader.name }) ?? grader.green;
    if (!Array.isArray(said)) return said as Reply;
    if (turn > 1) return { text: "Every check is reported." };
    return { calls: [...(said as readonly Call[]), finish], usage: { input: 1_731, output: 118 } };
  };
}

const ANSWER = `# v4.2.0

Thanks to everybody who sent patches for this release! 🎉

## New

- \`skills sync\` copies only the files that changed, so that a second run takes less than a second.
- \`skills list --json\` prints one object per skill.
- Skills can say which tools they need: \`requires: [git, gh]\`.

## Fixed

- A skill whose name holds a space is found again.
- \`skills sync\` no longer stops at a link that leads nowhere.
- The progress bar stays on one line in narrow terminals.
- Reading a manifest of more than 1 MB takes a tenth of the time.
- Messages on Windows show paths with the backslashes people can paste.

## Documentation

- A page about writing a skill from scratch, with an example that is tested in CI.
- The reference lists every key of the manifest with the version that brought it.
- Pictures of the three ways to install a skill.

## Under the hood

- The manifest is parsed by the same code everywhere, where there used to be four parsers.
- The tests run on Node 24.
- Continuous integration takes four minutes, from eleven.

## Other changes

- The manifest key \`tools\` is now called \`requires\`.
- Performance is improved by 40% across the board.
`;

/** A skill that writes release notes: three tasks and three graders. */
export const NOTES: PreviewSuite = {
  name: "release-notes",
  answer: ANSWER,
  tasks: [
    {
      id: "notes-from-log",
      prompt:
        "Write the release notes of v4.2.0 from `git log v4.1.0..v4.2.0`. Save them as NOTES.md and show me the text.",
    },
    {
      id: "nothing-to-release",
      prompt: "Write the release notes of v4.2.1 from `git log v4.2.0..v4.2.1`.",
    },
    {
      id: "release-candidate",
      prompt: "Write the notes of v5.0.0-rc.1. Readers are people who test it.",
    },
  ],
  graders: [
    {
      name: "breaking-changes-first",
      weight: 2,
      config: {
        prompt: `Check the notes against each criterion on its own, and make one call for each (3 calls total).

1. Breaking changes come before anything else.
2. Each says what a user has to change.
3. No change is called breaking that is not.
`,
      },
      green: [
        pass(
          "Breaking changes come first",
          'The first section is "Before you upgrade", with the renamed key.',
        ),
        pass("Each breaking change says what to do", '"Rename `tools` to `requires` in each manifest."'),
        pass("Nothing is called breaking that is not", "Only the renamed key is."),
      ],
    },
    {
      name: "every-claim-has-a-commit",
      config: { rubric: "groundedness", prompt: "The commits are in the result of `git log`." },
      green: [pass("Every claim is supported by the evidence", "Each line has its commit.")],
    },
    {
      name: "plain-words",
      config: {
        prompt: "Would a user who never saw the code understand every line? Call set_waza_grade_pass if so.",
      },
      green: [pass("A user understands every line", "No internal names; the one abbreviation is explained.")],
    },
  ],
};

export const BREAKING_RED: readonly Call[] = [
  fail(
    "Breaking changes come first",
    'The notes open with thanks and new features. "The manifest key `tools` is now called `requires`" stands at the very end, under "Other changes", though every manifest with `tools` stops working.',
  ),
  fail(
    "Each breaking change says what to do",
    "That the key has a new name is said; that a manifest with the old one is refused, and how to change it, is not.",
  ),
  pass("Nothing is called breaking that is not", "No other change is presented as breaking."),
];
export const BREAKING_RED_AGAIN: readonly Call[] = [
  fail(
    "Breaking changes come first",
    'They have a section of their own, "Breaking", but it comes third, after "New" and "Fixed".',
  ),
  pass("Each breaking change says what to do", '"Rename the key in your manifests."'),
  pass("Nothing is called breaking that is not", "Only the renamed key is."),
];
export const CLAIM_RED: readonly Call[] = [
  fail(
    "Every claim is supported by the evidence",
    '"Performance is improved by 40% across the board" has no commit. The log has one commit about speed (9d3f2ab, manifests over 1 MB), and no figure for anything else.',
  ),
];
export const WORDS_RED: readonly Call[] = [
  fail(
    "A user understands every line",
    '"The manifest is parsed by the same code everywhere" means nothing to somebody who never saw the code.',
  ),
];
