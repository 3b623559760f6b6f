// Builds dist/, which GitHub runs: tsc writes src/ as JavaScript to lib/, ncc bundles that with the packages, whose
// licenses stand beside it; the built-in rubrics, and what `waza-grade init` writes, are copied beside it. Same sources, same bytes, in
// any folder.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licensesText } from "./licenses.ts";

const root = join(import.meta.dirname, "..");
const run = (script: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: "inherit",
  });

for (const folder of ["lib", "dist"]) rmSync(join(root, folder), { recursive: true, force: true });
run("typescript/bin/tsc", "--project", "tsconfig.build.json");
run("@vercel/ncc/dist/ncc/cli.js", ...["build", "lib/index.js", "--out", "dist", "--no-cache"]);
const copy = (from: string, to: string) => {
  cpSync(join(root, from), join(root, to), { recursive: true });
};
copy("src/evals/built-in", "dist/built-in");
copy("examples/first", "dist/init/first");
copy("examples/workflows", "dist/init/workflows");
writeFileSync(join(root, "dist/licenses.txt"), licensesText(root));
