// Builds dist/: tsc strips the types into lib/, ncc bundles lib/index.js, and the built-in rubrics are copied beside it.
// Same sources, same bytes.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });

rmSync(join(root, "lib"), { recursive: true, force: true });
rmSync(join(root, "dist"), { recursive: true, force: true });
run("node_modules/@typescript/native/bin/tsc", "-p", "tsconfig.build.json");
run(
  "node_modules/@vercel/ncc/dist/ncc/cli.js",
  "build",
  "lib/index.js",
  "-o",
  "dist",
  "--license",
  "licenses.txt",
  "--no-cache",
);
cpSync(join(root, "src", "waza", "rubrics"), join(root, "dist", "rubrics"), { recursive: true });
