// The bench's yardstick: sends request bodies over kept-alive connections, as many at once as told, and reads each
// reply. Arguments: URL of the judge, file with the bodies (one a line), connections.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Agent, request } from "node:http";

const [url = "", file = "", connections = "10"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
// Where each line begins and ends, so that only the bodies under way are held.
const ends = JSON.parse(readFileSync(`${file}.ends`, "utf8")) as number[];
const bodies = openSync(file, "r");
let next = 0;

function nextBody(): Buffer | undefined {
  const end = ends[next];
  if (end === undefined) return undefined;
  const start = next === 0 ? 0 : (ends[next - 1] ?? 0) + 1;
  next += 1;
  const body = Buffer.allocUnsafe(end - start);
  readSync(bodies, body, 0, body.length, start);
  return body;
}

function send(body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/chat/completions`, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": body.length },
    });
    sent.on("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${String(response.statusCode)}`));
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function work(): Promise<void> {
  for (let body = nextBody(); body; body = nextBody()) await send(body);
}
await Promise.all(Array.from({ length: Number(connections) }, work));
agent.destroy();
closeSync(bodies);
