/** Transcript files of waza (`--transcript-dir`): one per task, the events of all its runs in one list. */
import * as z from "zod/mini";
import { problemAt } from "../reader.ts";
import type { Problem } from "../../domain/location.ts";
import type { Content, Reader, Trial } from "../reader.ts";
import { taskTranscript } from "../schema.ts";
import type { TaskTranscript, TranscriptEvent } from "../schema.ts";
import { promptOf } from "../transcript/events.ts";
import { typeOf } from "../transcript/transcript.ts";
import { shapeProblem } from "./waza-results.ts";
import { notice } from "../../text/problem.ts";

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
    if (!parsed.data.transcript?.length) return { trials, problems: [withoutEvents(content)] };
    if (trials.length < 2) return { trials, problems: [] };
    const withoutLocation = `holds ${String(trials.length)} runs, split at their prompts. Only the last has a recorded final output; for the others, the agent's text is used.`;
    const message = `\`${content.where.path}\` ${withoutLocation}`;
    return { trials, problems: [problemAt(content.where, 1, notice(message, { withoutLocation }))] };
  },
};

function withoutEvents({ where }: Content): Problem {
  const withoutLocation =
    "has no events, so only the last run is read; the results of `waza run -o` have all trials.";
  return problemAt(where, 1, notice(`\`${where.path}\` ${withoutLocation}`, { withoutLocation }));
}

function trialsOf(file: TaskTranscript): Trial[] {
  const runs = splitRuns(file.transcript ?? [], file.prompt);
  const failure = failureOf(file, runs.length);
  return runs.map((events, index) => {
    const last = index === runs.length - 1;
    return {
      taskId: file.task_id,
      finalOutput: last ? (file.final_output ?? "") : writtenIn(events),
      events,
      taskName: file.task_name || undefined,
      prompt: file.prompt || promptOf(events),
      failure: last ? failure : undefined,
    };
  });
}

/** A run starts at each user message that repeats the prompt; without a prompt there is one run. */
function splitRuns(events: readonly TranscriptEvent[], prompt: string | undefined): TranscriptEvent[][] {
  const runs: TranscriptEvent[][] = [[]];
  let hasPrompt = false;
  for (const event of events) {
    const isPrompt = prompt !== undefined && typeOf(event) === "user.message" && event.content === prompt;
    if (isPrompt && hasPrompt) runs.push([]);
    hasPrompt ||= isPrompt;
    runs.at(-1)?.push(event);
  }
  return runs;
}

/** All messages of the agent, joined as waza's Copilot engine joins a final output. */
function writtenIn(events: readonly TranscriptEvent[]): string {
  return events
    .filter((event) => typeOf(event) === "assistant.message")
    .flatMap(({ content }) => (content?.trim() ? content : []))
    .join("\n\n");
}

/**
 * Status and error are the task's: with several runs they belong to the last one only if it wrote nothing. waza's status
 * `failed` covers errors and failed graders; only errors have a message.
 */
function failureOf(file: TaskTranscript, runs: number): string | undefined {
  const { status, error_msg: message, final_output: output } = file;
  if (!message && status !== "error") return undefined;
  return runs > 1 && output?.trim() ? undefined : (message ?? "");
}
