// The licenses of the packages that are bundled: those that package-lock.json has for production, since ncc's own list
// sees no ES modules.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** The text of dist/licenses.txt: of each package its name, its version, its license, and the license's text. */
export function licensesText(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const entries = Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== "" && !dev && !optional)
    .map(([path, { version = "", license = "" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return [`${name} ${version}`, license, licenseIn(join(root, path))].join("\n");
    });
  return `${[...new Set(entries)].sort().join("\n\n")}\n`;
}

function licenseIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined
    ? "(The package has no file of it.)"
    : readFileSync(join(folder, file), "utf8").trim();
}
