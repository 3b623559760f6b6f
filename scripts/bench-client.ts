// The bench's yardstick: sends request bodies over kept-alive connections, as many at once as told, and reads each
// reply. Arguments: URL of the judge, file with the bodies (one per line), connections.
import { open } from "node:fs/promises";
import { Agent, request } from "node:http";

const [url = "", file = "", connections = "10"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

function send(body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(`${url}/chat/completions`, { method: "POST", agent, headers });
    sent.on("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${String(response.statusCode)}`));
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

// Read as they are sent, so that only those under way are held.
const bodies = (await open(file)).readLines()[Symbol.asyncIterator]();
async function work(): Promise<void> {
  for (let next = await bodies.next(); !next.done; next = await bodies.next()) await send(next.value);
}
await Promise.all(Array.from({ length: Number(connections) }, work));
agent.destroy();
