// Compares the loopback servers of the tests with the published request schemas of GitHub's Checks API and of OpenAI's
// chat completions: whatever a schema refuses, our server has to refuse. Run by hand with a folder that holds
// check-run.post.json, check-run.patch.json and openai-chat.json: node scripts/check-oracles.ts <folder>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { checkPatch, checkPost } from "../__tests__/support/check-run-rules.ts";
import { checkChatRequest } from "../__tests__/support/chat-rules.ts";

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node scripts/check-oracles.ts <folder with the schemas>");
  process.exit(2);
}
const read = (name: string) =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>;

const rest = new Ajv({ strict: false, validateFormats: true });
addFormats.default(rest);
const openai = new Ajv2020({ strict: false, validateFormats: false });
openai.addSchema(read("openai-chat.json"), "openai");

const annotation = {
  path: "evals/eval.yaml",
  start_line: 3,
  end_line: 3,
  start_column: 1,
  end_column: 2,
  annotation_level: "failure",
  message: "Failed",
  title: "grader · task",
  raw_details: "output",
};
const output = { title: "Failed", summary: "# Failed", text: "more", annotations: [annotation] };
const checkRun = {
  name: "waza-grade",
  head_sha: "a".repeat(40),
  status: "completed",
  conclusion: "failure",
  completed_at: "2026-11-03T14:22:07Z",
  external_id: "1",
  output,
};
const call = { id: "call_1", type: "function", function: { name: "set_waza_grade_pass", arguments: "{}" } };
const chat = {
  model: "gpt-4o-mini",
  messages: [
    { role: "system", content: "You are a judge." },
    { role: "user", content: "evidence" },
    { role: "assistant", content: null, refusal: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: "Recorded." },
    { role: "assistant", content: "Done." },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "set_waza_grade_pass",
        description: "Report",
        parameters: { type: "object", properties: {} },
      },
    },
  ],
};

const WRONG: readonly unknown[] = [undefined, null, 7, -1, 1.5, "", "x".repeat(70_000), true, [], {}, [{}]];

/** Every body with one value at any depth replaced by something else, or left out. */
function* mutations(
  value: unknown,
  path: readonly string[] = [],
): Generator<{ path: string; body: unknown }> {
  for (const wrong of path.length === 0 ? [] : WRONG) yield { path: path.join("."), body: wrong };
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    for (const { path: at, body } of mutations(item, [...path, key]))
      yield { path: at, body: replaced(value, key, body) };
  }
}

function replaced(container: object, key: string, value: unknown): unknown {
  if (Array.isArray(container))
    return container.map((item: unknown, index) => (String(index) === key ? value : item));
  return { ...container, [key]: value };
}

interface Pair {
  readonly name: string;
  readonly schema: ValidateFunction;
  readonly ours: (body: unknown) => object;
  readonly valid: unknown;
}

const pairs: Pair[] = [
  {
    name: "check run, create",
    schema: rest.compile(read("check-run.post.json")),
    ours: checkPost,
    valid: checkRun,
  },
  {
    name: "check run, update",
    schema: rest.compile(read("check-run.patch.json")),
    ours: checkPatch,
    valid: { output },
  },
  {
    name: "chat completion",
    schema: openai.compile({ $ref: "openai#/components/schemas/CreateChatCompletionRequest" }),
    ours: checkChatRequest,
    valid: chat,
  },
];

let lax = 0;
for (const { name, schema, ours, valid } of pairs) {
  if (!schema(valid))
    throw new Error(`${name}: the schema refuses the valid body: ${JSON.stringify(schema.errors)}`);
  if ("refusal" in ours(valid))
    throw new Error(`${name}: our server refuses the valid body: ${JSON.stringify(ours(valid))}`);
  const counts = { tried: 0, both: 0, stricter: 0 };
  for (const { path, body } of mutations(valid)) {
    const sent: unknown = JSON.parse(JSON.stringify(body));
    counts.tried += 1;
    const refused = "refusal" in ours(sent);
    if (schema(sent)) counts.stricter += refused ? 1 : 0;
    else if (refused) counts.both += 1;
    else {
      lax += 1;
      console.log(
        `${name}: the schema refuses, our server takes, a change of ${path}: ${JSON.stringify(schema.errors).slice(0, 200)}`,
      );
    }
  }
  console.log(
    `${name}: ${String(counts.tried)} changed bodies; ${String(counts.both)} refused by both, ${String(counts.stricter)} by our server alone`,
  );
}
process.exitCode = lax > 0 ? 1 : 0;
