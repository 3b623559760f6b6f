// Runs a script by Node 24 or newer, with the arguments it is given: by this Node where it is new enough, else by the
// one that `npm ci` brings on Linux. Both of its packages own the bin `node`, which not every npm then links, so the
// binary is asked for by its package.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const NEEDED = 24;

function findNode() {
  if (Number.parseInt(process.versions.node) >= NEEDED) return process.execPath;
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}

function giveUp() {
  console.error(
    `waza-grade is built and tested by Node ${NEEDED} or newer; this is Node ${process.versions.node} on ${process.platform} (${process.arch}). ` +
      "`npm ci` brings one along on Linux with glibc (x64, arm64), unless optional dependencies are left out. " +
      `Elsewhere install it from https://nodejs.org/en/download, or with a version manager, such as \`nvm install ${NEEDED}\`.`,
  );
  process.exitCode = 1;
}

const node = findNode();
if (node === undefined) giveUp();
else {
  const child = spawn(node, process.argv.slice(2), { stdio: "inherit" });
  // A terminal sends it to both: the script decides how to end.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  // A binary that is there and cannot be run, as on Linux without glibc.
  child.on("error", giveUp);
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
