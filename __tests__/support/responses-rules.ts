/**
 * What OpenAI's Responses API refuses, of what we could send: the shapes of its published request schema for text and
 * function tools, and what the API itself enforces of the items' order.
 */
import { strictSchema } from "./chat-rules.ts";
import * as z from "zod";
import { cacheFields, cacheMarks, checkCaching } from "./cache-rules.ts";

const text = z.object({ type: z.enum(["input_text", "output_text"]), text: z.string() });
const refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });

const item = z.union([
  z.strictObject({ role: z.enum(["user", "system", "developer", "assistant"]), content: z.string() }),
  z.strictObject({
    role: z.enum(["user", "system", "developer"]),
    content: z.array(z.strictObject({ type: z.literal("input_text"), text: z.string(), ...cacheMarks })),
  }),
  z.strictObject({
    type: z.literal("message"),
    id: z.string().startsWith("msg"),
    role: z.literal("assistant"),
    status: z.enum(["in_progress", "completed", "incomplete"]),
    content: z.array(z.union([text, refusal])),
  }),
  z.strictObject({
    type: z.literal("function_call"),
    id: z.string().startsWith("fc").optional(),
    call_id: z.string().min(1).max(64),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    arguments: z.string(),
    status: z.enum(["in_progress", "completed", "incomplete"]).optional(),
  }),
  z.strictObject({
    type: z.literal("function_call_output"),
    call_id: z.string().min(1).max(64),
    output: z.string(),
  }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string().startsWith("rs"),
    summary: z.array(z.unknown()),
    encrypted_content: z.string().nullish(),
  }),
]);
type Item = z.infer<typeof item>;

/** Flat: name and parameters stand beside the type, and `strict` is required. */
const tool = z.strictObject({
  type: z.literal("function"),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().nullish(),
  parameters: z.looseObject({ type: z.literal("object") }),
  strict: z.boolean(),
});

const request = z.strictObject({
  model: z.string(),
  input: z.array(item).min(1),
  tools: z.array(tool).min(1).optional(),
  store: z.boolean().nullish(),
  include: z.array(z.enum(["reasoning.encrypted_content"])).nullish(),
  reasoning: z
    .strictObject({ effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish() })
    .nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  text: z
    .strictObject({
      format: z.strictObject({
        type: z.literal("json_schema"),
        name: z.string(),
        schema: strictSchema,
        strict: z.literal(true),
      }),
    })
    .optional(),
  ...cacheFields,
});

export type ResponsesRequest = z.infer<typeof request>;

/** The request, or OpenAI's reason for refusing it with a 400. */
export function checkResponsesRequest(
  body: unknown,
): { readonly request: ResponsesRequest } | { readonly refusal: string } {
  const parsed = request.safeParse(body);
  if (!parsed.success) return { refusal: z.prettifyError(parsed.error) };
  const wrong =
    checkCaching(parsed.data) ??
    checkTools(parsed.data) ??
    checkItems(parsed.data.input, parsed.data.store ?? true);
  return wrong === undefined ? { request: parsed.data } : { refusal: wrong };
}

/** A strict schema names every property as required and allows no other. */
function checkTools({ tools = [] }: ResponsesRequest): string | undefined {
  return tools.some(({ strict, parameters }) => strict && parameters.additionalProperties !== false)
    ? "Invalid schema for function: 'additionalProperties' is required to be supplied and to be false."
    : undefined;
}

/** Every call has one output after it, every output a call before it; what was not stored cannot be referred to. */
function checkItems(input: readonly Item[], stored: boolean): string | undefined {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const one of input) {
    if (!("type" in one)) continue;
    if (one.type === "reasoning" && !one.encrypted_content && !stored)
      return `Item with id '${one.id}' not found. Items are not persisted when \`store\` is set to false.`;
    if (one.type === "function_call") {
      if (seen.has(one.call_id)) return `Duplicate function call ${one.call_id}.`;
      seen.add(one.call_id);
      open.add(one.call_id);
    }
    if (one.type === "function_call_output" && !open.delete(one.call_id))
      return `No tool call found for function call output with call_id ${one.call_id}.`;
  }
  const [first] = open;
  return first === undefined ? undefined : `No tool output found for function call ${first}.`;
}
