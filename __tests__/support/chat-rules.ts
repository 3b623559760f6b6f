/**
 * What OpenAI's chat completions endpoint refuses, of what we could send: the shapes of its published request schema
 * for text and function tools, and the order of messages that the API itself enforces.
 */
import * as z from "zod";
import { cacheFields, cacheMarks, checkCaching } from "./cache-rules.ts";

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const text = z.union([
  z.string(),
  z.array(z.strictObject({ type: z.literal("text"), text: z.string(), ...cacheMarks })).min(1),
]);
const toolCall = z.object({
  id: z.string().max(40),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content: text, name: z.string().optional() }),
  z.object({ role: z.literal("user"), content: text, name: z.string().optional() }),
  // It takes what it does not know, as OpenAI does; a script may refuse what others refuse.
  z.looseObject({
    role: z.literal("assistant"),
    content: text.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.object({ role: z.literal("tool"), content: text, tool_call_id: z.string() }),
]);
type Message = z.infer<typeof message>;

const tool = z.object({
  type: z.literal("function"),
  function: z.strictObject({
    name,
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal("object").optional() }).optional(),
    strict: z.boolean().nullish(),
  }),
});

const leaf = z.strictObject({ type: z.enum(["string", "integer"]), enum: z.array(z.string()).optional() });

/** A strict schema: of each object every property is required, and no other is allowed. */
export const strictSchema: z.ZodType<object> = z.lazy(() =>
  z.union([
    leaf,
    z.strictObject({ type: z.literal("array"), items: strictSchema }),
    z
      .strictObject({
        type: z.literal("object"),
        properties: z.record(z.string(), strictSchema),
        required: z.array(z.string()),
        additionalProperties: z.literal(false),
      })
      .refine(({ properties, required }) => Object.keys(properties).join() === required.join()),
  ]),
);

const request = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).max(128).optional(),
  tool_choice: z.enum(["none", "auto", "required"]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  temperature: z.number().min(0).max(2).nullish(),
  max_completion_tokens: z.int().nullish(),
  max_tokens: z.int().nullish(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
  stream: z.literal(false).nullish(),
  response_format: z
    .strictObject({
      type: z.literal("json_schema"),
      json_schema: z.strictObject({ name, schema: strictSchema, strict: z.literal(true) }),
    })
    .optional(),
  ...cacheFields,
});

export type ChatRequest = z.infer<typeof request>;

/** The request, or OpenAI's reason for refusing it with a 400. */
export function checkChatRequest(
  body: unknown,
): { readonly request: ChatRequest } | { readonly refusal: string } {
  const parsed = request.safeParse(body);
  if (!parsed.success) return { refusal: z.prettifyError(parsed.error) };
  const order = checkCaching(parsed.data) ?? checkOrder(parsed.data.messages);
  return order === undefined ? { request: parsed.data } : { refusal: order };
}

/** Every tool call is answered by a tool message right after it, and nothing else is. */
function checkOrder(messages: readonly Message[]): string | undefined {
  let open: string[] = [];
  for (const one of messages) {
    if (one.role === "tool") {
      if (!open.includes(one.tool_call_id)) return `tool message answers no call: ${one.tool_call_id}`;
      open = open.filter((id) => id !== one.tool_call_id);
      continue;
    }
    if (open.length > 0) return `tool calls without an answer: ${open.join(", ")}`;
    if (one.role !== "assistant") continue;
    if (one.tool_calls === undefined && (one.content === undefined || one.content === null)) {
      return "assistant message with neither content nor tool calls";
    }
    open = (one.tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? `tool calls without an answer: ${open.join(", ")}` : undefined;
}
