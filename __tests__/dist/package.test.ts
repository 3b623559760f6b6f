/** What is published to npm, as it lies there. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

test("the package asks for no other, runs no script, and works where nothing else is", () => {
  const folder = join(temporaryFolder("package"), "waza-grade");
  execFileSync(process.execPath, [join(import.meta.dirname, "../../scripts/package.ts"), folder]);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  expect(Object.keys(manifest).sort()).toEqual(
    ["name", "version", "description", "license", "repository", "type", "bin", "files", "engines"].sort(),
  );
  expect(readdirSync(folder).sort()).toEqual(["LICENSE", "README.md", "action.yml", "dist", "package.json", "run"]);

  const bin = join(folder, (manifest.bin as Record<string, string>)["waza-grade"] ?? "");
  expect(readFileSync(bin, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  const elsewhere = temporaryFolder("elsewhere");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], { cwd: elsewhere, encoding: "utf8", env: {} });
  expect(run("--help")).toContain("--eval");
  run("init", "--agent", "gemini");
  expect(run("--dry-run")).toContain("6 grades");
});
