/** What the user says after the agent's first turn, as waza's task files and the evals of skills have it. */
import type { FollowUp, FurtherTurns } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { type Entry, eachOf, fieldsOf } from "./entry.ts";
import { problem, unexpected } from "./problems.ts";
import { FIELDS } from "./schema.ts";
import { isFilled, textAt } from "./skill-file.ts";
import { isObject, listedCode } from "../text/format.ts";

/** The keys of waza's `inputs` with texts for further turns; the first that is filled is used. */
const FOLLOW_UPS = ["follow_up_prompts", "follow_ups"];

/** Those of a task of waza: `follow_up_prompts`, or a `responder`, which excludes them. */
export function turnsOfTask(inputs: Entry, problems: Problem[]): FurtherTurns | undefined {
  const texts = scriptOf(inputs, FOLLOW_UPS, problems);
  const responder = inputs.child("responder");
  if (!isFilled(responder.value)) return texts;
  if (texts) problems.push(problem("responder-beside", responder.keyAt));
  return responderOf(responder, problems);
}

/** Those of a skill's eval. */
export function turnsOfEval(entry: Entry, problems: Problem[]): FurtherTurns | undefined {
  return scriptOf(entry, FIELDS.turns, problems);
}

function scriptOf(entry: Entry, keys: readonly string[], problems: Problem[]): FurtherTurns | undefined {
  const list = turnsIn(entry, keys);
  if (!list) return undefined;
  return { by: "script", turns: eachOf(list).flatMap((one) => followUpOf(one, problems)) };
}

/** The first of these keys that holds what a user says; other things are called so, too: records of conversations, numbers. */
export function turnsIn(entry: Entry, keys: readonly string[] = FIELDS.turns): Entry | undefined {
  const lists = keys.map((key) => entry.child(key));
  return lists.find((list) => eachOf(list).some(({ value }) => promptIn(value) !== undefined));
}

function promptIn(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() || undefined : textAt(value, ["prompt"]);
}

/** When a turn is sent (`deliver_when` of eval-magic's evals.json): always, or if the agent's answer asks. */
const WHEN = ["always", "agent_asks"];
const READ = ["prompt", "deliver_when"];

function followUpOf(entry: Entry, problems: Problem[]): FollowUp[] {
  const prompt = promptIn(entry.value);
  if (prompt === undefined) {
    problems.push(unexpected("no-turn", entry));
    return [];
  }
  if (!isObject(entry.value)) return [{ prompt }];
  const when = entry.child("deliver_when");
  if (when.value !== undefined && !WHEN.some((one) => one === when.value))
    problems.push(unexpected("no-time", when));
  const others = fieldsOf(entry).filter(({ key }) => !READ.includes(String(key)));
  if (others[0])
    problems.push(problem("unread-turn", others[0].keyAt, listedCode(others.map(({ name }) => name))));
  return [{ prompt, ifAsked: when.value === "agent_asks" || undefined }];
}

function responderOf(entry: Entry, problems: Problem[]): FurtherTurns | undefined {
  const instructions = textAt(entry.value, ["instructions"]);
  const most = entry.child("max_followups");
  const turns = Number(most.value);
  if (instructions === undefined)
    problems.push(problem("no-instructions", entry.at, entry.child("instructions").name));
  if (!Number.isSafeInteger(turns) || turns < 1) problems.push(unexpected("no-limit", most));
  return {
    by: "model",
    instructions: instructions ?? "",
    most: turns,
    model: textAt(entry.value, ["model"]),
  };
}
