/**
 * Writes examples/workflows/full.yml: the called workflow, .github/workflows/evals.yml, with what the call of
 * examples/workflows/evals.yml gives it in place of its inputs. `--check` compares, and writes nothing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "..");
const FULL = join(ROOT, "examples/workflows/full.yml");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The text with what its aliases stand for, since older servers do not know them: values of a line, and blocks of `with`. */
function withoutAnchors(text: string): string {
  const values = new Map([...text.matchAll(/: &(\w+) (\S+)/g)].map(([, name, value]) => [name, value]));
  const blocks = new Map(
    [...text.matchAll(/^( *)with: &(\w+)\n((?:\1 {2}.*\n)+)/gm)].map(([, , name, block]) => [name, block]),
  );
  return text
    .replace(/^( *with:) \*(\w+)\n/gm, (_, key: string, name: string) => `${key}\n${blocks.get(name) ?? ""}`)
    .replace(/: \*(\w+)/g, (_, name: string) => `: ${values.get(name) ?? ""}`)
    .replace(/: &\w+ ?/g, ": ")
    .replace(/^( *with:) $/gm, "$1");
}

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** The called workflow without its inputs, as the caller's own. */
export function expanded(called: string, call: string): string {
  const { jobs } = parse(call) as { jobs: { evals: { with: Values; secrets: Values } } };
  const { on } = parse(called) as { on: { workflow_call: { inputs: Record<string, { default?: string }> } } };
  const defaults = Object.entries(on.workflow_call.inputs).map(([name, input]) => [name, input.default]);
  const values = { ...(Object.fromEntries(defaults) as Values), ...jobs.evals.with };
  const secret = String(jobs.evals.secrets.AGENT_KEY);
  const own = withoutAnchors(called)
    // The head is the caller's, without the line on the label, which is looked at only where the workflow is called.
    .replace(/^[^]*?\npermissions: \{\}\n(?:# .*\ndefaults: .*\n)?/, head(call))
    .replace(/^# A newer push .*\n/m, "# A newer push cancels the runs of the older one.\n")
    .replace(/^ {2}group: .*$/m, "  group: evals-${{ github.event.pull_request.number || github.run_id }}")
    .replace(/^ {4}if: .*inputs\.when.*\n/m, "")
    .replace(/^ {4}name: .*inputs\.when.*\n/m, "")
    .replace(/^ {4}environment: .*\n/gm, "")
    .replace(
      /^ {6}matrix:\n {8}shard: .*$/m,
      "      matrix: { shard: [1] } # a machine for about 20 runs each: [1, 2] for 40",
    )
    .replace(/^ {6}- if: \$\{\{ inputs\.setup \}\}\n[^]*?eval "\$SETUP"\n/gm, "")
    .replace(/^ {6}- if: \$\{\{ inputs\.agent-env \}\}\n[^]*?"\$GITHUB_ENV"\n/gm, "")
    .replace(/^ {4}runs-on: .*$/gm, `    runs-on: ${String(values["runs-on"])}`)
    .replace(/^ {4}outputs:\n {6}conclusion:[^]*?(?=^ {4}runs-on)/m, "")
    // Without the label: the steps up to the next comment.
    .replace(/^ {6}# Without the label[^]*?(?=^ {6}# )/m, "")
    .replaceAll("needs.agent.result == 'skipped' || ", "")
    .replaceAll("needs.agent.result != 'skipped' && ", "")
    .replaceAll("needs.plan.result != 'skipped' && ", "")
    .replaceAll("${{ secrets.JUDGE_KEY || secrets.AGENT_KEY }}", secret)
    .replaceAll("${{ inputs.agent && secrets.AGENT_KEY }}", secret)
    .replace(/^ {8}env:\n {10}AGENT_KEY: .*\n/gm, "")
    .replace(/^ *check-name: .*\n/gm, "")
    .replaceAll("default-branch:${{ inputs.name }}-baseline", "default-branch")
    // A line with the input alone goes where there is none.
    .replace(
      /^( *[\w-]+: )\$\{\{ inputs\.([\w-]+) \}\}(.*\n)/gm,
      (_, key: string, name: string, end: string) => {
        const value = values[name];
        return value === undefined || value === false ? "" : `${key}${String(value)}${end}`;
      },
    )
    .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => String(values[name]))
    .replaceAll("uses: $/run", "uses: org/waza-grade/run@v1")
    .replaceAll("uses: $/grade\n", "uses: org/waza-grade@v1\n");
  if (/\binputs\.|\$\//.test(own)) throw new Error(`Something of the call is left:\n${own}`);
  return own;
}

/** The call's own lines up to its jobs. */
function head(call: string): string {
  return call.slice(0, call.indexOf("\njobs:")).replace(/^( {2}pull_request:) #.*$/m, "$1");
}

function main(): void {
  const text = expanded(read(".github/workflows/evals.yml"), read("examples/workflows/evals.yml"));
  if (!process.argv.includes("--check")) writeFileSync(FULL, text);
  else if (readFileSync(FULL, "utf8") !== text) throw new Error("examples/workflows/full.yml: npm run docs");
}

if (import.meta.main) main();
