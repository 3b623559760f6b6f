// Grades outputs with autoevals' LLM classifier, as many at once as told: it has no runner of its own that works without
// an account. Copied beside its node_modules by run.ts. Arguments: URL of the judge, outputs (JSON), grades at once,
// where to write the scores.
import { readFileSync, writeFileSync } from "node:fs";
import { init, LLMClassifierFromTemplate } from "autoevals";
import OpenAI from "openai";

const [baseURL, file, concurrency, result] = process.argv.slice(2);
const outputs = JSON.parse(readFileSync(file, "utf8"));
init({ client: new OpenAI({ baseURL, apiKey: "loopback" }) });
const classify = LLMClassifierFromTemplate({
  name: "done",
  promptTemplate: "{{rubric}}\n\nThe agent's output:\n{{output}}",
  choiceScores: { Y: 1, N: 0 },
  useCoT: true,
  model: "gpt-4o-mini",
});

const scores = {};
const waiting = outputs.values();
async function work() {
  for (const { name, output, rubric } of waiting) scores[name] = (await classify({ output, rubric })).score;
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
writeFileSync(result, JSON.stringify(scores));
