/** An endpoint that refuses every request as a provider does, or passes everything, and has a list of models. */
import { bodyOf, listen, sendJson } from "./http.ts";

export interface Provider {
  /** The refusal of every request; undefined to answer with a pass. */
  readonly refusal?: readonly [status: number, body: unknown];
  /** The answer to `GET /models`; undefined for 404. */
  readonly models?: unknown;
}

/** An endpoint that answers so, and what it was asked. */
export async function refusingProvider({ refusal, models }: Provider) {
  const asked: string[] = [];
  const server = await listen(async (incoming, response) => {
    const { method = "", url = "" } = incoming;
    asked.push(`${method} ${url}`);
    await bodyOf(incoming);
    if (method === "GET" && models !== undefined) {
      if (typeof models === "string") {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(models);
      } else sendJson(response, 200, models);
      return;
    }
    if (method === "GET") sendJson(response, 404, { error: { message: "no such page" } });
    else if (refusal) sendJson(response, refusal[0], refusal[1]);
    else
      sendJson(response, 200, {
        id: "1",
        object: "chat.completion",
        choices: [
          {
            index: 0,
            finish_reason: "tool_calls",
            message: {
              role: "assistant",
              content: null,
              tool_calls: [
                {
                  id: "a",
                  type: "function",
                  function: { name: "set_waza_grade_pass", arguments: '{"reason":"Yes."}' },
                },
                { id: "b", type: "function", function: { name: "finish_grading", arguments: "{}" } },
              ],
            },
          },
        ],
      });
  });
  return { url: server.url, asked, close: server.close };
}
