// Measures what docs/performance.md states, on 127.0.0.1 only: `npm run bench`, or one part of it, as in
// `npm run bench -- faults`. Medians, and ratios of runs that alternate. `npm run bench -- beside` installs two other
// tools from the npm registry, and runs only when it is named.
import { cpus } from "node:os";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { beside } from "./bench-beside/run.ts";
import { cancel } from "./bench-cancel.ts";
import { faults } from "./bench-faults.ts";
import { kill } from "./bench-kill.ts";
import { memory } from "./bench-memory.ts";
import { start } from "./bench-start.ts";
import { throughput } from "./bench-throughput.ts";

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  start,
  throughput,
  memory,
  faults,
  kill,
  cancel,
};

const ON_REQUEST: typeof PARTS = { beside: () => beside(...numbers) };

const given = process.argv.slice(2);
const asked = given.filter((one) => !/^\d+$/.test(one));
const numbers = given.filter((one) => /^\d+$/.test(one)).map(Number);
const all = { ...PARTS, ...ON_REQUEST };
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(", ")}; there is ${Object.keys(all).join(", ")}.`);
  process.exit(2);
}

console.log(
  `${cpus()[0]?.model ?? "unknown CPU"}, ${String(cpus().length)} cores, Node ${process.versions.node}`,
);
try {
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    const started = performance.now();
    console.log(`\n## ${name}`);
    await all[name]?.();
    console.log(`(${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
} finally {
  removeTemporaryFolders();
}
