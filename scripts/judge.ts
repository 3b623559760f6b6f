// Measures a judge: `npm run judge -- --model X [--base-url Y] [--message FILE]` on the kit, or
// `npm run judge -- --results graded.json --labels labels.csv` on results of your own. The key is OPENAI_API_KEY's;
// without one it says what measuring would cost.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openaiJudge } from "../src/judge/conversation.ts";
import { prices } from "../src/judge/spend.ts";
import { agreementOf, agreementSentence, matchLabels } from "../src/labels/agreement.ts";
import { readLabels } from "../src/labels/labels.ts";
import { readRows } from "../src/results/row-file.ts";
import { changesOf, linesOf, measureJudge, priceOf, withMessage } from "./measure-judge.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: "gpt-6-luna" },
    "base-url": { type: "string", default: "https://api.openai.com/v1" },
    message: { type: "string" },
    "max-concurrency": { type: "string", default: "4" },
    results: { type: "string" },
    labels: { type: "string" },
  },
});

if (values.results !== undefined && values.labels !== undefined)
  await compareLabels(values.results, values.labels);
else await measure();

async function measure(): Promise<void> {
  const { model, "base-url": baseUrl, message } = values;
  const price = prices([]);
  const apiKey = process.env.OPENAI_API_KEY;
  if (!apiKey && new URL(baseUrl).hostname === "api.openai.com") {
    const { requests, tokens, dollars } = await priceOf(model, price, baseUrl);
    const cost = dollars === undefined ? "a price that is not known" : `about $${dollars.toFixed(2)}`;
    console.log(
      `Without OPENAI_API_KEY nothing is asked. It would take about ${String(requests)} requests, ${String(tokens)} tokens, ${cost}.`,
    );
    return;
  }
  const maxConcurrency = Number(values["max-concurrency"]);
  const judge = openaiJudge({
    endpointOf: () => ({ baseUrl, apiKey }),
    price,
    maxConcurrency,
    redact: (text) => (apiKey ? text.replaceAll(apiKey, "***") : text),
  });
  const before = await measureJudge({ judge, model, maxConcurrency });
  console.log(linesOf(model, before).join("\n"));
  if (message === undefined) return;
  const other = withMessage(judge, readFileSync(message, "utf8").trim());
  const after = await measureJudge({ judge: other, model, maxConcurrency });
  const { better, worse } = changesOf(before, after);
  console.log(linesOf(`${model}, with ${message}`, after).join("\n"));
  console.log(`Verdicts that differ: ${String(better)} better, ${String(worse)} worse.`);
}

async function compareLabels(results: string, file: string): Promise<void> {
  const read = readRows(JSON.parse(readFileSync(results, "utf8")), results);
  const { labels, problems } = await readLabels(file, process.cwd());
  for (const { message } of problems) console.log(message);
  if (!read) {
    console.log(`${results} has no grades of waza-grade: write it with \`output-file\`.`);
    process.exitCode = 1;
    return;
  }
  const named = read.rows.map((row) => ({ ...row, name: `${row.grader} · ${row.task}` }));
  const { labelled, misfits } = matchLabels(labels, named);
  const found = agreementOf(labelled);
  console.log(agreementSentence(found));
  if (found.kappa !== undefined) console.log(`κ ${found.kappa.toFixed(2)}`);
  if (misfits.length > 0)
    console.log(`${String(misfits.length)} labels fit no grade of these results, or several.`);
}
