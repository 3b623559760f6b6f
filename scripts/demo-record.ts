// Writes `verdicts` of examples/code-explainer and examples/skill from their judge-table.yaml: runs the bundled action
// against a loopback judge that answers from the table, and marks each record as written for the demo. A proxy leads OpenAI's address to that judge,
// since a record's key holds the address.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { fail, finish, pass, startJudge } from "../__tests__/support/judge-server.ts";
import type { Asked, Reply } from "../__tests__/support/judge-server.ts";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { certificateFor } from "../__tests__/support/identity-server.ts";
import { startProxy } from "../__tests__/support/proxy-server.ts";
import { removeTemporaryFolders, runAction, temporaryFolder } from "../__tests__/support/run-action.ts";
import { DEMO_INPUTS, ROOT, SKILL, SKILL_INPUTS, SUITE } from "./demo-suite.ts";

interface Row {
  readonly task: string;
  readonly grader: string;
  readonly run: number;
  readonly calls: readonly { readonly pass?: string; readonly fail?: string; readonly reason: string }[];
}
interface Grader {
  readonly name: string;
  readonly config: { readonly prompt?: string };
}

const suite = join(ROOT, SUITE);
const readYaml = (file: string): unknown => parse(readFileSync(file, "utf8"));
const table = readYaml(join(suite, "judge-table.yaml")) as Row[];
const results = JSON.parse(readFileSync(join(suite, "results.json"), "utf8")) as {
  tasks: { test_id: string; runs: { run_number: number; final_output: string }[] }[];
};
const files = ["eval.yaml", ...readdirSync(join(suite, "tasks")).map((file) => `tasks/${file}`)];
const graders = files.flatMap(
  (file) => (readYaml(join(suite, file)) as { graders?: Grader[] }).graders ?? [],
);

function answer({ evidence, prompt, turn }: Asked) {
  if (turn > 1) return { text: "Every check is reported." };
  const grader = graders.find(({ config }) => config.prompt === prompt);
  const row = table.find(({ task, run, grader: name }) => {
    const output = results.tasks
      .find(({ test_id }) => test_id === task)
      ?.runs.find((one) => one.run_number === run);
    return name === grader?.name && output !== undefined && evidence.includes(output.final_output);
  });
  if (!row) throw new Error(`judge-table.yaml has no row for the grader ${grader?.name ?? prompt}`);
  return {
    calls: [
      ...row.calls.map((call) =>
        call.pass === undefined ? fail(call.fail, call.reason) : pass(call.pass, call.reason),
      ),
      finish,
    ],
  };
}

interface SkillRow {
  readonly log: string;
  readonly statements: readonly { readonly pass?: string; readonly fail?: string }[];
}

const skillTable = readYaml(join(ROOT, SKILL, "judge-table.yaml")) as SkillRow[];

/** What the agent answered last in a log of Claude Code. */
function answerOf({ log }: SkillRow): string {
  const lines = readFileSync(join(ROOT, SKILL, "runs", log, "log.jsonl"), "utf8")
    .trim()
    .split("\n");
  return (JSON.parse(lines.at(-1) ?? "") as { result: string }).result;
}

function skillAnswer({ evidence }: Asked) {
  const row = skillTable.find((one) => evidence.includes(answerOf(one)));
  if (!row) throw new Error("judge-table.yaml has no row for the log");
  return {
    calls: row.statements.map(({ pass: passed, fail: failed }, index) => ({
      name: passed === undefined ? "set_waza_grade_fail" : "set_waza_grade_pass",
      args: { statement: index + 1, reason: passed ?? failed },
    })),
  };
}

interface Recording {
  readonly folder: string;
  /** The folder that the inputs' paths start from, below the top. */
  readonly workspace?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly script: (asked: Asked) => Reply;
  readonly verdicts: number;
}

async function record({
  folder,
  workspace = ".",
  inputs,
  script,
  verdicts: expected,
}: Recording): Promise<void> {
  const records = temporaryFolder("record");
  const judge = await startJudge(script);
  const tls = certificateFor(temporaryFolder("tls"), ["api.openai.com"]);
  const proxy = await startProxy({ reaches: { "api.openai.com:443": new URL(judge.url).port }, tls });
  const github = await startGitHub();
  try {
    const result = await runAction({
      workspace: join(ROOT, workspace),
      githubUrl: github.url,
      inputs: { ...inputs, "cache-dir": records, "api-key": "sk-of-the-demo-0123456789" },
      env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: tls.certificate },
    });
    const recorded = readdirSync(records);
    if (recorded.length !== expected)
      throw new Error(`${String(recorded.length)} of ${String(expected)} verdicts\n${result.log}`);
    const verdicts = join(ROOT, folder, "verdicts");
    rmSync(verdicts, { recursive: true, force: true });
    mkdirSync(verdicts);
    for (const file of recorded) {
      // The loopback judge is not the model that it names.
      const { servedBy: _, ...record } = JSON.parse(readFileSync(join(records, file), "utf8")) as {
        servedBy?: string;
      };
      const note = "Written by hand for the demo (judge-table.yaml); no model was asked.";
      writeFileSync(join(verdicts, file), `${JSON.stringify({ note, ...record }, null, 2)}\n`);
    }
    console.log(`${String(recorded.length)} verdicts recorded in ${folder}/verdicts`);
  } finally {
    await Promise.all([judge.close(), github.close(), proxy.close()]);
  }
}

try {
  await record({ folder: SUITE, inputs: DEMO_INPUTS, script: answer, verdicts: table.length });
  const runs = temporaryFolder("runs");
  cpSync(join(ROOT, SKILL, "runs"), runs, { recursive: true });
  await record({
    folder: SKILL,
    workspace: SKILL,
    inputs: { ...SKILL_INPUTS, results: runs },
    script: skillAnswer,
    verdicts: skillTable.length,
  });
} finally {
  removeTemporaryFolders();
}
