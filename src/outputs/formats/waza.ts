/** waza's results.json, of all ages, and its transcript files. */
import * as z from "zod/mini";
import {
  type ClientFacts,
  type Conversation,
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
import {
  taskTranscript,
  wazaResults,
  type TaskTranscript,
  type WazaResults,
  type WazaRun,
} from "./waza-schema.ts";

/** Maximum characters of an error message for the judge. */
const LONGEST_RUN_ERROR = 2_000;

/** The nested runs without the skill (`waza run --baseline`) as separate results; undefined if there are none. */
export function withoutSkillOf(data: WazaResults, path: string, file: number): ResultsFile | undefined {
  const tasks = (data.tasks ?? []).map((task) => {
    const without = data.baseline_outcome?.tasks?.find(({ test_id: id }) => id === task.test_id);
    return { ...task, runs: without?.runs };
  });
  if (!tasks.some(({ runs }) => runs?.length)) return undefined;
  return { ...resultsFileOf({ ...data, tasks }, path, file), side: "without-skill" };
}

/** Results in waza's format as the steps see them; `file` is their index. */
export function resultsFileOf(data: WazaResults, path: string, file: number): ResultsFile {
  return {
    path,
    model: data.config?.model_id || UNKNOWN_MODEL,
    runs: (data.tasks ?? []).flatMap((task, taskIndex) =>
      (task.runs ?? []).map((run, runIndex): Run => {
        const steps = stepsOfRun(run);
        const number = run.run_number ?? runIndex + 1;
        return {
          origin: { file, task: taskIndex, run: runIndex },
          taskId: task.test_id,
          number,
          model: data.config?.model_id || UNKNOWN_MODEL,
          finalOutput: run.final_output ?? "",
          steps,
          recorded: Object.entries(run.validations ?? {}).map(([key, { identifier, ...verdict }]) => ({
            ...verdict,
            name: identifier || key,
          })),
          golden: task.golden,
          ...agentOutcome(run, steps),
          taskName: task.display_name || undefined,
          prompt: run.prompt || steps.find((step) => step.kind === "user")?.text,
          errorMessage: run.error_msg || undefined,
          client: possibleFacts(factsOfWaza(run)),
          conversation: responderEnd(run),
        };
      }),
    ),
    evalName: data.eval_name || undefined,
    timestamp: data.timestamp || undefined,
  };
}

/**
 * A run's conversation: its transcript, with its `tool_events`, which alone have the calls' full arguments in newer files;
 * if both are empty, the calls of its digest.
 */
function stepsOfRun(run: WazaRun): Step[] {
  const held = new Json(run);
  const steps = stepsOf(withToolEvents(eventsIn(run), held.all("tool_events")));
  return steps.length > 0 ? steps : stepsOf(held.all("session_digest", "tool_calls").flatMap(callWithResult));
}

function eventsIn({ transcript = [] }: WazaRun): LogEvent[] {
  return transcript.flatMap((event) => eventsOfWaza(event.type, new Json(event)));
}

/** An event under its current name, or that of waza's first structs; reasoning and bookkeeping are none. */
function eventsOfWaza(type: string, event: Json): LogEvent[] {
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
function responderEnd({ responder }: WazaRun): Conversation | undefined {
  if (!responder) return undefined;
  const { followups_sent: sent, outcome, reason } = responder;
  const ended = outcome === "cap_exhausted" ? "exhausted" : outcome === "error" ? "failed" : outcome;
  return { turns: sent + 1, ended, reason: reason ?? undefined };
}

/** The digest is of the Copilot SDK's session. */
function factsOfWaza({ session_digest: held, duration_ms: durationMs }: WazaRun): ClientFacts {
  const digest = new Json(held);
  const denials = digest.all("tool_policy_denials").map((one) => one.text("tool") ?? "?");
  return {
    refused: digest.isList("tool_policy_denials") ? denials : undefined,
    tokens: tokensOf(digest.isObject("usage") ? [digest.at("usage")] : [], {
      input: ["input_tokens"],
      output: ["output_tokens"],
      cached: ["cache_read_tokens"],
      written: ["cache_write_tokens"],
    }),
    durationMs,
    session: digest.text("session_id") || undefined,
  };
}

/** waza's error prefix if its own graders interrupted a run; it says nothing about the agent. */
const GRADERS_BROKE = "running graders:";
const ERRORS: ReadonlySet<string> = new Set(["error", "timeout"]);

/** As in waza, a run with something to judge is judged regardless of its status; the judge sees how it ended. */
export function agentOutcome(
  run: Pick<WazaRun, "status" | "error_msg" | "final_output">,
  steps: readonly Step[],
): Pick<Run, "agent" | "ended"> {
  const message = run.error_msg ?? "";
  const status = run.status ?? "";
  const worked = hasEvidence({ finalOutput: run.final_output ?? "", steps });
  if (message.startsWith(GRADERS_BROKE)) return { agent: worked ? "finished" : "grader-failed" };
  if (message === "" && !ERRORS.has(status)) return { agent: "finished" };
  const ended = `${ERRORS.has(status) ? status : "error"}${message === "" ? ", without a message" : `: ${message}`}`;
  return { agent: worked ? "finished" : "failed", ended: shorten(ended, LONGEST_RUN_ERROR) };
}

/** The first schema error of a file that should be `what`, at its line. */
async function shapeProblem(failure: z.core.$ZodError, content: Content, what: string): Promise<Problem> {
  const issue = failure.issues[0];
  const path = issue?.path ?? [];
  const [line = 1] = await content.linesOf([path]);
  const name = path.length > 0 ? ` at \`${path.map(String).join(".")}\`` : "";
  return error("wrong-shape", `the file is not ${what}${name}: ${issue?.message ?? "unreadable"}.`, {
    help: "waza's own results are written by `waza run <eval.yaml> --skip-graders -o results.json`.",
    at: onLine(content.at, line),
  });
}

/** Any object with `tasks`, and the summary that waza writes beside the results of several models. */
export const wazaResultsReader: Reader = {
  format: "waza's results",
  detect: (row, { data }) => row === data && ("tasks" in row || isSummary(row)),
  read: async (content) => {
    if (isSummary(content.data)) return { problems: [summaryNotice(content)] };
    const parsed = z.safeParse(wazaResults, content.data);
    if (!parsed.success)
      return { problems: [await shapeProblem(parsed.error, content, "a results file of waza")] };
    return {
      waza: { document: content.data, data: parsed.data },
      problems: keptWorkspaces(content, parsed.data),
    };
  },
};

/** The notice that kept folders are not read: a path that results name may lead anywhere. */
function keptWorkspaces({ at }: Content, { tasks }: WazaResults): Problem[] {
  if (!tasks?.some(({ runs }) => runs?.some(({ workspace_dir: kept }) => kept))) return [];
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
    const parsed = z.safeParse(taskTranscript, content.data);
    if (!parsed.success)
      return { problems: [await shapeProblem(parsed.error, content, "a transcript file of waza")] };
    const trials = trialsOf(parsed.data);
    const hasEvents = Boolean(parsed.data.transcript?.length);
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

function isSummary(data: unknown): boolean {
  const file = new Json(data);
  return file.isList("skills") && file.isObject("overall") && !file.keys().includes("tasks");
}

/** `--output f.json` with several models writes `f_<skill>_<model>.json`, and at `f.json` only this. */
function summaryNotice({ data, at }: Content): Problem {
  const files = new Json(data).all("skills").flatMap((skill) => skill.list("output_files"));
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
function trialsOf(file: TaskTranscript): Trial[] {
  const { prompt, final_output: output = "", error_msg: message = "", status } = file;
  const runs: LogEvent[][] = [[]];
  for (const event of eventsIn(file)) {
    const isPrompt = (one: LogEvent) => one.kind === "user" && one.text === prompt;
    if (isPrompt(event) && runs.at(-1)?.some(isPrompt)) runs.push([]);
    runs.at(-1)?.push(event);
  }
  const isError = (message !== "" || status === "error") && (runs.length === 1 || output.trim() === "");
  return runs.map((events, index) => {
    const isLast = index === runs.length - 1;
    const written = events.flatMap((event) =>
      event.kind === "assistant" && event.text.trim() ? event.text : [],
    );
    return {
      taskId: file.task_id,
      finalOutput: isLast ? output : written.join("\n\n"),
      steps: stepsOf(events),
      taskName: file.task_name || undefined,
      prompt: prompt || promptOf(events),
      failure: isLast && isError ? message : undefined,
    };
  });
}
