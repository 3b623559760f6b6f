/** What the rows of Claude Code say of how a run ended: its answers, its failure, its cost, and what was refused. */
import { type Json, tokensOf } from "../../text/json.ts";
import { outageOf, type Outage } from "../reader.ts";
import type { Session } from "../session.ts";
import { textOf } from "./parts.ts";

/** A session has a result for each turn: one more when something ends that ran in the background. */
export function joinedAnswers(results: readonly Json[]): string | undefined {
  const answers = results
    .filter((one) => failureOfClaude(one) === undefined)
    .flatMap((one) => {
      const words = one.text("result");
      return words?.trim() ? words : textOf(one.at("structured_output").value) || [];
    });
  return answers.join("\n\n") || undefined;
}

/** The kind of an error that ended the run. */
function errorEnd(result: Json | undefined): string | undefined {
  const kind = result?.text("subtype");
  return kind?.startsWith("error") ? kind : undefined;
}

/** `subtype: error_*`, or `is_error` with a successful subtype, where `result` is the message of the failed request. */
export function failureOfClaude(result: Json | undefined): string | undefined {
  const kind = errorEnd(result);
  if (!result || (kind === undefined && !result.flag("is_error"))) return undefined;
  const parts = [kind, ...result.list("errors").map(textOf), result.text("result")];
  return parts.filter((part) => part).join(": ") || "is_error";
}

/** What the first row and the results say; the figures of a later result hold those before it. */
export function factsOfClaude(begun: Json | undefined, results: readonly Json[]): Session["client"] {
  const result = results.at(-1);
  return {
    skills: begun?.isList("skills")
      ? begun.list("skills").flatMap((name) => (typeof name === "string" ? { name } : []))
      : undefined,
    endedBy: errorEnd(result),
    // Input is without what came from the cache or was written to it.
    tokens: tokensOf(result?.all("modelUsage") ?? [], {
      input: ["inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"],
      output: ["outputTokens"],
      cached: ["cacheReadInputTokens"],
      written: ["cacheCreationInputTokens"],
    }),
    isOfSession: true,
    cost: result?.number("total_cost_usd"),
    durationMs: result?.number("duration_ms"),
    version: begun?.text("claude_code_version"),
  };
}

/** The tool of each call that was refused: each in a row of its own, in a result those of its turn. Undefined where the rows do not say it. */
export function refusedByClaude(entries: readonly Json[]): readonly string[] | undefined {
  const rows = entries.filter((row) => row.text("subtype") === "permission_denied");
  const all = [...rows, ...entries.flatMap((row) => row.all("permission_denials"))];
  const tools = new Map(
    all.map((one, index) => [one.text("tool_use_id") ?? index, one.text("tool_name") ?? "?"]),
  );
  const isSaid = rows.length > 0 || entries.some((row) => row.isList("permission_denials"));
  return isSaid ? [...tools.values()] : undefined;
}

/** Errors of https://docs.claude.com/en/api/agent-sdk/typescript (`SDKAssistantMessageError`), and its own next try. */
const OUTAGES: ReadonlyMap<unknown, Outage> = new Map([
  ["authentication_failed", "refused"],
  ["billing_error", "refused"],
  ["rate_limit", "busy"],
  ["server_error", "busy"],
  ["api_retry", "busy"],
]);

/** By the kind of an error, a limit that names its end, a result's status, or because Claude Code itself tried again. */
export function outageOfClaude(entries: readonly Json[]): Outage | undefined {
  const said = entries.flatMap((row) => [
    OUTAGES.get(row.at("error").value),
    OUTAGES.get(row.text("subtype")),
    outageOf(row.number("api_error_status")),
    row.text("rate_limit_info", "status") === "rejected" &&
    row.number("rate_limit_info", "resetsAt") !== undefined
      ? ("used-up" as const)
      : undefined,
  ]);
  return (["refused", "used-up", "busy"] as const).find((one) => said.includes(one));
}
