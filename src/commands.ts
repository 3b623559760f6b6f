/** The commands of the command line: one table, from which words, flags, help and exit statuses come. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Surroundings, grade, judgeSettings, measures, runAgents } from "./action.ts";
import {
  FAILED_IN,
  KEY_INPUTS,
  Misuse,
  WORKFLOW_INPUTS,
  type Declared,
  type Given,
  type Syntax,
  failedTasks,
  inputVariables,
  readDeclared,
  withUserCache,
} from "./cli/flags.ts";
import { localFlags } from "./cli/help.ts";
import { tryTasks } from "./try.ts";
import { INIT_FLAGS, init } from "./cli/init.ts";
import { EXIT, type ExitStatus } from "./domain/exit-status.ts";
import { topOf } from "./files/confine.ts";
import { RUNS, isRunner } from "./inputs/inputs.ts";
import { terminalLog } from "./log/log.ts";
import { belowTop } from "./runner/run-options.ts";
import { logLine } from "./safety/sanitize.ts";
import { problemLine } from "./text/format.ts";

interface Command extends Syntax {
  /** Runs it with the values of its flags; throws a Misuse. Undefined where the log's conclusion is the exit status. */
  readonly run: (given: Given, surroundings: Surroundings) => Promise<ExitStatus | undefined>;
}

/** The commands by `root`, the folder that holds dist/: action.yml lies there, in the repository and the package alike. */
export function commandsOf(root: string): readonly [Command, ...Command[]] {
  const ofGrading = readDeclared(join(root, "action.yml"));
  const ofRun = readDeclared(join(root, "run/action.yml"));
  return [
    gradeCommand(ofGrading),
    runCommandRow(ofRun),
    tryCommand(ofRun, ofGrading),
    judgeCommand(ofGrading),
    initCommand(root),
  ];
}

const JSON_FLAG = {
  name: "json",
  description:
    "Print the record of the run on standard output, as `output-file` has it, and everything else on standard error.",
  default: "false",
};

const ACCEPTED_FLAG = {
  name: "accepted",
  description:
    "What a comparison with `baseline` makes red is meant: green, and the record says so, so that older results count no more for what fell.",
  default: "false",
};

function gradeCommand({ description, inputs }: Declared): Command {
  return {
    name: "",
    description,
    usage: ["[flags]"],
    flags: [
      ...inputs.filter(({ name }) => !WORKFLOW_INPUTS.includes(name)),
      ...localFlags(FAILED_IN, ACCEPTED_FLAG, JSON_FLAG),
    ],
    exits: "0 passed, 1 failed, 2 unknown flag or missing value",
    run: async (given, surroundings) => {
      const failed = failedTasks(given);
      if (failed?.length === 0) {
        console.log(logLine(`Every task passed in \`${given.get(FAILED_IN.name) ?? ""}\`.`));
        return EXIT.done;
      }
      const narrowed = failed ? new Map([...given, ["tasks", failed.join("\n")]]) : given;
      const { env } = surroundings;
      const folder = process.cwd();
      const top = isRunner(env) || given.has("results") ? folder : (topOf(folder) ?? folder);
      const isHere = [RUNS, "results.json"].some((path) => existsSync(join(folder, path)));
      if (top !== folder && !isHere) throw new Misuse(problemLine(belowTop(folder, top, "results")));
      const place = { env, platform: process.platform, folder };
      const cached = isRunner(env) ? narrowed : withUserCache(narrowed, place);
      Object.assign(env, inputVariables(inputs, cached));
      const isOn = ({ name }: { readonly name: string }) => given.get(name)?.toLowerCase() === "true";
      const json = isOn(JSON_FLAG) ? process.stdout : undefined;
      // With the record on standard output, everything else goes to standard error.
      const log = json && terminalLog({ out: process.stderr, progress: process.stderr });
      const around = { ...surroundings, ...(log && { log, terminal: log }) };
      await grade({ ...around, json, accepted: isOn(ACCEPTED_FLAG) });
      return undefined;
    },
  };
}

function runCommandRow({ description, inputs }: Declared): Command {
  return {
    name: "run",
    description,
    usage: ["run --agent <value> [flags] [-- <argument> ...]", "run --command <value> [flags]"],
    flags: [...inputs.filter(({ name }) => !KEY_INPUTS.includes(name)), ...localFlags(FAILED_IN)],
    rest: "arguments",
    exits:
      "0 every run was made, 1 an agent never got to work, ended without an answer or harmed its own run, or runs were not started, 2 a mistake in a flag or an eval, or more runs than `max-runs`",
    run: async (given, surroundings) => {
      // Tasks that passed are run, too, where their runs are of an older skill.
      const failed = failedTasks(given);
      Object.assign(surroundings.env, inputVariables(inputs, given));
      if (failed) surroundings.env["INPUT_FAILED-IN"] = failed.join("\n");
      return await runAgents(surroundings);
    },
  };
}

const KEEP_FLAG = {
  name: "keep",
  description:
    "Count the runs as those of the plan, in `.waza-grade/runs`; else they are apart, and the next try removes them.",
  default: "false",
};

/** The flags of `run` that `try` has, too. */
const OF_TRY: ReadonlySet<string> = new Set(["agent", "command", "resumes", "responder-base-url", "model"]);
/** Those of grading. */
const OF_TRIED: ReadonlySet<string> = new Set(["judge-model", "base-url", "providers"]);

function tryCommand(ofRun: Declared, ofGrading: Declared): Command {
  const runInputs = ofRun.inputs.filter(({ name }) => OF_TRY.has(name));
  const judges = ofGrading.inputs.filter(({ name }) => OF_TRIED.has(name));
  return {
    name: "try",
    description:
      "Runs tasks once, grades them, and shows the answer, each check and what changed since the last try. Without a task, those of the skill in the current folder; at the top of the checkout, what the branch changed.",
    usage: ["try [task ...] [--agent <value>] [--keep] [flags]"],
    flags: [
      ...[...runInputs, ...judges].map((input) => ({ ...input, group: undefined })),
      ...localFlags(KEEP_FLAG),
    ],
    words: "tasks",
    exits: "0 passed, 1 failed, 2 a mistake in the call or in a file",
    run: async (given, surroundings) => {
      const { env, terminal } = surroundings;
      if (!terminal) throw new Misuse("`try` works locally: in a workflow use the actions.");
      const set = ({ inputs }: Declared, more: Given) =>
        Object.assign(env, inputVariables(inputs, new Map([...given, ...more])));
      const setOfGrading = (more: Given) => {
        const place = { env, platform: process.platform, folder: process.cwd() };
        set(ofGrading, withUserCache(more, place));
      };
      return await tryTasks(given, process.cwd(), {
        log: terminal,
        settings: async (more) => {
          setOfGrading(more);
          return await judgeSettings(surroundings);
        },
        run: async (more) => {
          set(ofRun, more);
          const baseUrl = given.get("base-url");
          const judge = { judgeModel: given.get("judge-model"), ...(baseUrl && { baseUrl }) };
          return await runAgents({ ...surroundings, judge });
        },
        grade: async (more, log, json) => {
          setOfGrading(more);
          await grade({ ...surroundings, log, terminal: log, json });
        },
      });
    },
  };
}

const MESSAGE_FLAG = {
  name: "message",
  description: "A file with another system message: the judge is measured with both, and they are compared.",
};

/** Inputs of grading that say which judge is asked, and how. */
const OF_JUDGES: ReadonlySet<string> = new Set([
  "judge-model",
  "judge-effort",
  "base-url",
  "providers",
  "timeout",
  "max-concurrency",
  "judge-votes",
  "confirm-on-fail",
  "confirm-model",
  "max-judge-calls",
  "max-cost-usd",
  "model-prices",
]);

function judgeCommand({ inputs }: Declared): Command {
  const judgeInputs = inputs.filter(({ name }) => OF_JUDGES.has(name));
  return {
    name: "judge",
    description:
      "Measures a judge: it grades a kit of runs with known verdicts three times; without a key, what that would cost.",
    usage: ["judge [--judge-model <value>] [flags]"],
    flags: [MESSAGE_FLAG, ...judgeInputs.map((input) => ({ ...input, group: undefined }))],
    exits: "0 measured, 1 no verdict was given, 2 unknown flag or missing value",
    run: async (given, surroundings) => {
      Object.assign(surroundings.env, inputVariables(inputs, given));
      return await measures(surroundings, given.get(MESSAGE_FLAG.name));
    },
  };
}

function initCommand(root: string): Command {
  return {
    name: "init",
    description:
      "Writes a workflow that runs your agent on evals and grades the results, and a first eval if there are none. Existing files are not changed. Prints the next steps.",
    usage: ["init [--agent <value>] [--eval <entry> ...] [--lift]"],
    flags: INIT_FLAGS,
    exits: "0 written, 1 something cannot be written, 2 unknown flag or missing value",
    run: async (given) => {
      const { text, isWritten } = await init(given, { root, folder: process.cwd() });
      if (isWritten) console.log(text);
      else console.error(text);
      return isWritten ? EXIT.done : EXIT.failed;
    },
  };
}
