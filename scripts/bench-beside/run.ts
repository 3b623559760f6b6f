// waza-grade beside promptfoo (`llm-rubric`) and autoevals (its LLM classifier): the same outputs, the same loopback
// judge, 50 at once: `npm run bench -- beside [grades] [rounds]`, after `npm run build`. Needs the npm registry to install
// the other two, at the versions of package.json here, into a temporary folder, or one that BESIDE_FOLDER names and that
// has them already. Everything else is 127.0.0.1.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../../__tests__/support/github-server.ts";
import { runAction, temporaryFolder } from "../../__tests__/support/run-action.ts";
import { meant } from "../bench-meant.ts";
import type { JudgeSettings } from "../bench-meant.ts";
import {
  checkVerdicts,
  manyRuns,
  measured,
  median,
  outputOf,
  peakHook,
  spread,
  startJudgeProcess,
  markName,
} from "../bench-tools.ts";
import type { JudgeProcess, Use } from "../bench-tools.ts";

const CONCURRENCY = 50;
const LATENCY_MS = 200;
const INSTALL_MS = 500_000;
const RUBRIC = "Did the agent do what it was asked?";
const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};

interface Contender {
  readonly name: string;
  readonly answer: JudgeSettings["answer"];
  /** Grades everything; throws unless every verdict is what the judge meant. */
  readonly run: (judge: JudgeProcess) => Promise<Use>;
}

function check(
  who: string,
  names: readonly string[],
  passed: Readonly<Record<string, boolean>>,
  log: string,
): void {
  const wrong = names.filter((name) => passed[name] !== (meant(name).outcome === "pass"));
  if (wrong.length > 0)
    throw new Error(
      `${who}: ${String(wrong.length)} wrong or missing, ${wrong[0] ?? ""}: ${log.slice(-3_000)}`,
    );
}

function wazaGrade(names: readonly string[]): Contender {
  const workspace = manyRuns(names.length);
  return {
    name: "waza-grade",
    answer: "tool",
    run: async (judge) => {
      const github = await startGitHub();
      const hook = peakHook();
      const { durationMs, outputs, log } = await runAction({
        workspace,
        githubUrl: github.url,
        inputs: { "base-url": judge.url, "max-concurrency": String(CONCURRENCY), "fail-on": "never" },
        env: hook.env,
      });
      await github.close();
      const { right, wrong } = checkVerdicts(outputs["results-file"] ?? "");
      if (right !== names.length) throw new Error(`waza-grade: ${wrong[0] ?? ""} ${log.slice(-2_000)}`);
      return hook.read(durationMs / 1_000);
    },
  };
}

function promptfoo(names: readonly string[], folder: string): Contender {
  const config = join(folder, "promptfooconfig.json");
  const out = join(folder, "out.json");
  return {
    name: `promptfoo ${dependencies.promptfoo ?? ""}`,
    answer: "json",
    run: async (judge) => {
      const grader = { id: "openai:chat:gpt-4o-mini", config: { apiBaseUrl: judge.url, apiKey: "loopback" } };
      writeFileSync(
        config,
        JSON.stringify({
          prompts: ["{{output}}"],
          providers: ["echo"],
          defaultTest: { options: { provider: grader }, assert: [{ type: "llm-rubric", value: RUBRIC }] },
          tests: names.map((name) => ({ vars: { output: outputOf(name), name } })),
        }),
      );
      const flags = [
        "--no-cache",
        "--no-progress-bar",
        "--no-table",
        "--no-write",
        "--no-share",
        "-j",
        String(CONCURRENCY),
      ];
      const script = join(folder, "node_modules/promptfoo/dist/src/entrypoint.js");
      const use = await measured([script, "eval", "-c", config, "-o", out, ...flags], {
        cwd: folder,
        env: {
          PROMPTFOO_DISABLE_TELEMETRY: "1",
          PROMPTFOO_DISABLE_UPDATE: "1",
          PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
          PROMPTFOO_CONFIG_DIR: join(folder, "config"),
          PROMPTFOO_FAILED_TEST_EXIT_CODE: "0",
          CI: "true",
        },
      });
      if (!existsSync(out)) throw new Error(`promptfoo wrote nothing: ${use.log.slice(-3_000)}`);
      const { results } = JSON.parse(readFileSync(out, "utf8")) as {
        results: { results: { vars: { name: string }; success: boolean }[] };
      };
      check(
        "promptfoo",
        names,
        Object.fromEntries(results.results.map(({ vars, success }) => [vars.name, success])),
        use.log,
      );
      return use;
    },
  };
}

function autoevals(names: readonly string[], folder: string): Contender {
  const [outputs, out] = [join(folder, "outputs.json"), join(folder, "scores.json")];
  cpSync(join(import.meta.dirname, "autoevals.mjs"), join(folder, "autoevals.mjs"));
  writeFileSync(
    outputs,
    JSON.stringify(names.map((name) => ({ name, output: outputOf(name), rubric: RUBRIC }))),
  );
  return {
    name: `autoevals ${dependencies.autoevals ?? ""}`,
    answer: "choice",
    run: async (judge) => {
      const script = join(folder, "autoevals.mjs");
      const use = await measured([script, judge.url, outputs, String(CONCURRENCY), out], { cwd: folder });
      if (use.code !== 0) throw new Error(`autoevals: ${use.log.slice(-3_000)}`);
      const scores = JSON.parse(readFileSync(out, "utf8")) as Record<string, number>;
      check(
        "autoevals",
        names,
        Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, score === 1])),
        use.log,
      );
      return use;
    },
  };
}

/** Grades `grades` outputs with each of the three, in turn, `rounds` times. */
export async function beside(grades = 200, rounds = 5): Promise<void> {
  const names = Array.from({ length: grades }, (_, index) => markName(index));
  const judge = await startJudgeProcess();
  try {
    const folder = process.env.BESIDE_FOLDER ?? temporaryFolder("beside");
    if (!existsSync(join(folder, "node_modules", "promptfoo"))) {
      cpSync(join(import.meta.dirname, "package.json"), join(folder, "package.json"));
      console.log(`Installing ${JSON.stringify(dependencies)} into ${folder}`);
      execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: folder,
        stdio: "inherit",
        timeout: INSTALL_MS,
      });
    }
    const all = [wazaGrade(names), promptfoo(names, folder), autoevals(names, folder)];
    const uses = all.map((): (Use & { requests: number; judgeCpu: number })[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { answer, run }] of all.entries()) {
        await judge.set({ latencyMs: LATENCY_MS, answer });
        const use = await run(judge);
        const { requests, cpuSeconds } = await judge.report();
        uses[index]?.push({ ...use, requests, judgeCpu: cpuSeconds });
      }
    }
    console.log(
      `${String(grades)} outputs, one verdict each, judge of ${String(LATENCY_MS)} ms on 127.0.0.1, ${String(CONCURRENCY)} at once, Node ${process.versions.node}, medians of ${String(rounds)}:`,
    );
    for (const [index, { name }] of all.entries()) {
      const mine = uses[index] ?? [];
      const of = (key: keyof (typeof mine)[number]) => median(mine.map((use) => use[key]));
      console.log(
        `  ${name}: ${spread(
          mine.map(({ seconds }) => seconds),
          2,
        )} s, ${String(of("requests"))} requests, CPU ${of("cpuSeconds").toFixed(2)} s, peak ${of("megabytes").toFixed(0)} MB`,
      );
    }
  } finally {
    await judge.close();
  }
}
