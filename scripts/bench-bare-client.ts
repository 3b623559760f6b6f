// The bench's yardstick: sends request bodies over kept-alive connections, as many at once as told, each grade's in
// order. Arguments: URL of the judge, file with a JSON list of lists of bodies, connections.
import { Agent, request } from "node:http";
import { readFileSync } from "node:fs";

const [url = "", file = "", connections = "10"] = process.argv.slice(2);
const grades = JSON.parse(readFileSync(file, "utf8")) as string[][];
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

function send(body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/chat/completions`, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    });
    sent.on("response", (response) => {
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const waiting = [...grades];
async function work(): Promise<void> {
  for (let grade = waiting.shift(); grade; grade = waiting.shift())
    for (const body of grade) await send(body);
}
await Promise.all(Array.from({ length: Number(connections) }, work));
agent.destroy();
