/** waza's results.json (`waza run -o`), of all ages, and its transcript files (internal/transcript/transcript.go). */
import {
  type ClientFacts,
  type Conversation,
  type RecordedValidation,
  type ResultsFile,
  type Run,
  type Step,
  UNKNOWN_MODEL,
  hasEvidence,
  possibleFacts,
} from "../../domain/run.ts";
import { error, notice, onLine, type Problem } from "../../domain/problem.ts";
import { Json, tokensOf } from "../../text/json.ts";
import { type Content, type Reader, type Trial } from "../reader.ts";
import { jsonText, messageEvent, promptOf, stepsOf, type LogEvent } from "../transcript.ts";
import { isObject, listedCode, shorten } from "../../text/format.ts";

/** Maximum characters of an error message for the judge. */
const LONGEST_RUN_ERROR = 2_000;

/** Results in waza's format as the steps see them, of the runs without the skill those of `waza run --baseline`; `file` is their index. */
export function resultsFileOf(
  data: Json,
  path: string,
  { file, side }: { readonly file: number; readonly side?: "without-skill" | undefined },
): ResultsFile {
  const model = data.text("config", "model_id") || UNKNOWN_MODEL;
  const idOf = (task: Json) => task.text("test_id");
  const without = data.all("baseline_outcome", "tasks");
  const holding = (task: Json) => (side ? without.find((one) => idOf(one) === idOf(task)) : task);
  return {
    ...{ path, model, side },
    runs: data.all("tasks").flatMap((task, taskIndex) =>
      (holding(task)?.all("runs") ?? []).map((run, runIndex): Run => {
        const steps = stepsOfRun(run);
        const finalOutput = run.text("final_output") ?? "";
        const [status, message] = [run.text("status"), run.text("error_msg")];
        return {
          origin: { file, task: taskIndex, run: runIndex },
          taskId: idOf(task) ?? "",
          number: run.number("run_number") ?? runIndex + 1,
          ...{ model, finalOutput, steps },
          recorded: recordedIn(run),
          golden: task.flag("golden"),
          ...agentOutcome({ status, message, finalOutput, steps }),
          taskName: task.text("display_name") || undefined,
          prompt: run.text("prompt") || steps.find((step) => step.kind === "user")?.text,
          errorMessage: message || undefined,
          client: possibleFacts(factsOfWaza(run)),
          conversation: responderEnd(run),
        };
      }),
    ),
    evalName: data.text("eval_name") || undefined,
    timestamp: data.text("timestamp") || undefined,
    runsPerTest: side ? undefined : data.number("config", "runs_per_test"),
  };
}

function recordedIn(run: Json): RecordedValidation[] {
  return run.keys("validations").map((key) => {
    const verdict = run.at("validations", key);
    return {
      name: verdict.text("identifier") || key,
      type: verdict.type,
      score: verdict.number("score") ?? 0,
      passed: verdict.flag("passed") ?? false,
      feedback: verdict.text("feedback") ?? "",
    };
  });
}

/**
 * A run's conversation: its transcript, with its `tool_events`, which alone have the calls' full arguments in newer files;
 * if both are empty, the calls of its digest.
 */
function stepsOfRun(run: Json): Step[] {
  const steps = stepsOf(withToolEvents(eventsIn(run), run.all("tool_events")));
  return steps.length > 0 ? steps : stepsOf(run.all("session_digest", "tool_calls").flatMap(callWithResult));
}

function eventsIn(run: Json): LogEvent[] {
  return run.all("transcript").flatMap(eventsOfWaza);
}

/** An event under its current name, or that of waza's first structs; reasoning and bookkeeping are none. */
function eventsOfWaza(event: Json): LogEvent[] {
  const { type } = event;
  const [id, name] = [event.text("tool_call_id") || undefined, event.text("tool_name")];
  const [content = "", message] = [event.text("content"), event.text("message")];
  const words = content || (message ?? "");
  if (type === "user.message") return [messageEvent("user", content)];
  if (type === "assistant.message") return [messageEvent("assistant", content)];
  // It may hold no more than its number.
  if (type === "Turn") return [messageEvent("assistant", /^\s*\d+\s*$/.test(words) ? "" : words)];
  if (type === "skill.invoked") return [{ kind: "skill", text: words }];
  if (type === "session.error") return [{ kind: "error", text: message ?? content }];
  if (type === "tool.execution_start" || type === "ToolExecutionStart")
    return [{ kind: "call", id, name, input: jsonText(event.at("arguments").value) }];
  if (type !== "tool.execution_complete" && type !== "ToolExecutionComplete") return [];
  const result = resultText(event.at("tool_result"));
  return [{ kind: "result", id, name, result, success: event.flag("success") }];
}

/** What came back: the detailed text, else the one that was shortened for the model. */
function resultText(result: Json): string | undefined {
  const shown = result.text() ?? (result.at("detailedContent").value || result.at("content").value);
  return shown === undefined ? undefined : jsonText(shown);
}

/**
 * Calls with the longer of their arguments, which shortened transcripts cut or drop. A transcript without any call gets
 * those of the tool events, each after its assistant message (waza counts them from 1, internal/orchestration); one of an
 * unknown turn comes before the last message.
 */
function withToolEvents(events: readonly LogEvent[], calls: readonly Json[]): readonly LogEvent[] {
  if (events.some(({ kind }) => kind === "call")) {
    const inputs = new Map(calls.map((call) => [call.text("tool_call_id"), jsonText(call.at("args").value)]));
    return events.map((event) => {
      const input = ("id" in event && inputs.get(event.id)) || "";
      // `{}` says no more than nothing.
      return event.kind === "call" && event.id && input.length > Math.max(2, event.input.length)
        ? { ...event, input }
        : event;
    });
  }
  const messages = events.flatMap(({ kind }, index) => (kind === "assistant" ? [index] : []));
  const last = messages.at(-1) ?? events.length;
  const byIndex = Map.groupBy(calls.entries(), ([, call]) => {
    const turn = call.number("turn");
    const message = turn ? messages[turn - 1] : undefined;
    return message === undefined ? last : message + 1;
  });
  return [...events, undefined].flatMap((event, index) => [
    ...(byIndex.get(index) ?? []).flatMap(([number, call]) => callWithResult(call, number)),
    ...(event ? [event] : []),
  ]);
}

/** A call of the tool events or the digest. */
function callWithResult(call: Json, number: number): LogEvent[] {
  const [id, name] = [String(number), call.text("tool_name") ?? call.text("name")];
  const given = call.at("result").value ?? call.text("error");
  const isWrapped = isObject(given) && ("content" in given || "detailedContent" in given);
  const result = resultText(new Json(isWrapped ? given : { content: given }));
  return [
    { kind: "call", id, name, input: jsonText(call.at("args").value ?? call.at("arguments").value) },
    { kind: "result", id, result, success: call.flag("success") },
  ];
}

/** How the conversation with waza's responder ended, in our words. */
const ENDS: ReadonlyMap<string | undefined, Conversation["ended"]> = new Map([
  ["completed", "completed"],
  ["stopped", "stopped"],
  ["abstained", "abstained"],
  ["cap_exhausted", "exhausted"],
  ["error", "failed"],
]);

function responderEnd(run: Json): Conversation | undefined {
  const responder = run.at("responder");
  const ended = ENDS.get(responder.text("outcome"));
  const sent = responder.number("followups_sent") ?? 0;
  return ended && { turns: sent + 1, ended, reason: responder.text("reason") };
}

/** The digest is of the Copilot SDK's session. */
function factsOfWaza(run: Json): ClientFacts {
  const digest = run.at("session_digest");
  const denials = digest.all("tool_policy_denials").map((one) => one.text("tool") ?? "?");
  return {
    refused: digest.isList("tool_policy_denials") ? denials : undefined,
    tokens: tokensOf(digest.isObject("usage") ? [digest.at("usage")] : [], {
      input: ["input_tokens"],
      output: ["output_tokens"],
      cached: ["cache_read_tokens"],
      written: ["cache_write_tokens"],
    }),
    durationMs: run.number("duration_ms"),
    session: digest.text("session_id") || undefined,
  };
}

/** waza's error prefix if its own graders interrupted a run; it says nothing about the agent. */
const GRADERS_BROKE = "running graders:";
const ERRORS: ReadonlySet<string> = new Set(["error", "timeout"]);

/** As in waza, a run with something to judge is judged regardless of its status; the judge sees how it ended. */
export function agentOutcome({
  status = "",
  message = "",
  ...left
}: Pick<Run, "finalOutput" | "steps"> & {
  readonly status: string | undefined;
  readonly message: string | undefined;
}): Pick<Run, "agent" | "ended"> {
  const worked = hasEvidence(left);
  if (message.startsWith(GRADERS_BROKE)) return { agent: worked ? "finished" : "grader-failed" };
  if (message === "" && !ERRORS.has(status)) return { agent: "finished" };
  const ended = `${ERRORS.has(status) ? status : "error"}${message === "" ? ", without a message" : `: ${message}`}`;
  return { agent: worked ? "finished" : "failed", ended: shorten(ended, LONGEST_RUN_ERROR) };
}

/** A mistake in the shape of a file: the key, and what is expected there. */
type Fault = readonly [path: readonly PropertyKey[], expected: string];

function faultOfResults(file: Json): Fault | undefined {
  // As in waza: another major version may mean something else by the same keys.
  if (!/^(?:v?1(?:\.|$)|$)/.test(jsonText(file.at("schemaVersion").value).trim()))
    return [["schemaVersion"], "expected a version from 1.0 to 1.99"];
  // Go writes an empty list as null.
  if (!isListOrNone(file, "tasks"))
    return [["tasks"], "expected `tasks`: the list that `waza run -o` writes"];
  for (const [index, value] of file.list("tasks").entries()) {
    const [task, path] = [new Json(value), ["tasks", index]];
    if (task.text("test_id") === undefined)
      return [[...path, "test_id"], "expected `test_id`, the task's id"];
    if (!isListOrNone(task, "runs")) return [[...path, "runs"], "expected a list of runs"];
    for (const [number, run] of task.list("runs").entries()) {
      const fault = faultOfRun(new Json(run), [...path, "runs", number]);
      if (fault) return fault;
    }
  }
  return undefined;
}

function faultOfRun(run: Json, path: readonly PropertyKey[] = []): Fault | undefined {
  if (!run.isObject()) return [path, "expected a run"];
  const texts = ["prompt", "status", "final_output", "error_msg"];
  const wrong = texts.find((key) => run.at(key).value !== undefined && run.text(key) === undefined);
  if (wrong !== undefined) return [[...path, wrong], "expected text"];
  return isListOrNone(run, "transcript") ? undefined : [[...path, "transcript"], "expected a list of events"];
}

function isListOrNone(held: Json, key: string): boolean {
  return held.isList(key) || held.at(key).value === undefined;
}

/** The error of a file that should be `what`, at its line. */
async function shapeProblem([path, expected]: Fault, content: Content, what: string): Promise<Problem> {
  const [line = 1] = await content.linesOf([path]);
  return error("wrong-shape", `the file is not ${what} at \`${path.map(String).join(".")}\`: ${expected}.`, {
    help: "waza's own results are written by `waza run <eval.yaml> --skip-graders -o results.json`.",
    at: onLine(content.at, line),
  });
}

/** Any object with `tasks`, and the summary that waza writes beside the results of several models. */
export const wazaResultsReader: Reader = {
  format: "waza's results",
  detect: (row, { data }) => row === data && ("tasks" in row || isSummary(new Json(row))),
  read: async (content) => {
    const waza = new Json(content.data);
    if (isSummary(waza)) return { problems: [summaryNotice(waza, content)] };
    const fault = faultOfResults(waza);
    if (fault) return { problems: [await shapeProblem(fault, content, "a results file of waza")] };
    return { waza, problems: keptWorkspaces(content, waza) };
  },
};

/** The notice that kept folders are not read: a path that results name may lead anywhere. */
function keptWorkspaces({ at }: Content, waza: Json): Problem[] {
  const runs = waza.all("tasks").flatMap((task) => task.all("runs"));
  if (!runs.some((run) => run.text("workspace_dir"))) return [];
  const message = "The folders that waza kept (`workspace_dir`) are not read.";
  return [notice("kept-workspaces", message, { help: "Name them by the input `workspace`.", at })];
}

/** An object with `task_id` and what only waza's transcript files have beside it. */
export const wazaTranscriptReader: Reader = {
  format: "waza's transcripts",
  detect: (row, { data }) =>
    row === data &&
    "task_id" in row &&
    !("output" in row) &&
    ["transcript", "final_output", "started_at"].some((key) => key in row),
  read: async (content) => {
    const file = new Json(content.data);
    const isNamed = file.text("task_id") !== undefined;
    const fault: Fault | undefined = isNamed
      ? faultOfRun(file)
      : [["task_id"], "expected `task_id`, the task's id"];
    if (fault) return { problems: [await shapeProblem(fault, content, "a transcript file of waza")] };
    const trials = trialsOf(file);
    const hasEvents = file.list("transcript").length > 0;
    const [code, message] = hasEvents
      ? [
          "split-runs",
          `the file holds ${String(trials.length)} runs, split at their prompts. Only the last has a recorded final output; for the others, the agent's text is used.`,
        ]
      : [
          "no-events",
          "the file has no events, so only the last run is read; the results of `waza run -o` have all trials.",
        ];
    const isWhole = hasEvents && trials.length < 2;
    return { trials, problems: isWhole ? [] : [notice(code, message, { at: content.at })] };
  },
};

function isSummary(file: Json): boolean {
  return file.isList("skills") && file.isObject("overall") && !file.keys().includes("tasks");
}

/** `--output f.json` with several models writes `f_<skill>_<model>.json`, and at `f.json` only this. */
function summaryNotice(file: Json, { at }: Content): Problem {
  const files = file.all("skills").flatMap((skill) => skill.list("output_files"));
  const named = listedCode(files.filter((one) => typeof one === "string"));
  const message = "the file is waza's summary of several skills or models, without runs; it is ignored.";
  const help = `Name the files of the runs in \`results\`${named && `: ${named}`}.`;
  return notice("summary-of-several", message, { help, at });
}

/**
 * The runs of a transcript file: one starts at each user message that repeats the prompt. Output and error are those of the
 * last, the error only where it wrote nothing or is the only one; of the others the output is all that the agent wrote,
 * joined as waza's Copilot engine does. waza's status `failed` covers errors and failed graders; only errors have a message.
 */
function trialsOf(file: Json): Trial[] {
  const [prompt, output = "", message = ""] = ["prompt", "final_output", "error_msg"].map((key) =>
    file.text(key),
  );
  const runs: LogEvent[][] = [[]];
  for (const event of eventsIn(file)) {
    const isPrompt = (one: LogEvent) => one.kind === "user" && one.text === prompt;
    if (isPrompt(event) && runs.at(-1)?.some(isPrompt)) runs.push([]);
    runs.at(-1)?.push(event);
  }
  const isError =
    (message !== "" || file.text("status") === "error") && (runs.length === 1 || output.trim() === "");
  return runs.map((events, index) => {
    const isLast = index === runs.length - 1;
    const written = events.flatMap((event) =>
      event.kind === "assistant" && event.text.trim() ? event.text : [],
    );
    return {
      taskId: file.text("task_id") ?? "",
      finalOutput: isLast ? output : written.join("\n\n"),
      steps: stepsOf(events),
      taskName: file.text("task_name") || undefined,
      prompt: prompt || promptOf(events),
      failure: isLast && isError ? message : undefined,
    };
  });
}
