/** Reads single inputs, one method per type of value. */
import { resolve } from "node:path";
import * as core from "@actions/core";
import { error, type Problem } from "../domain/problem.ts";
import { follow } from "../files/confine.ts";
import { addressFault, OPENAI } from "../judge/api/wire.ts";
import type { OwnPrice } from "../judge/spend.ts";
import { listedCode, parseDuration, withoutEnd } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** A report file: format and path. */
export interface ReportFile {
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly path: string;
}

const REPORT_FORMATS = ["html", "junit", "markdown", "labels"] as const;

/** Maximum characters of a path on Linux (PATH_MAX). */
const LONGEST_PATTERN = 4_096;

const CAPS = {
  count: [/^\d{1,12}$/, "Use a whole number above 0, such as `500`."],
  dollars: [/^\$?(\d{1,9}|\d{0,9}\.\d{1,6})$/, "Use a number of US dollars above 0, such as `2.50`."],
  minutes: [/^(\d{1,4}|\d{0,4}\.\d{1,3})$/, "Use a number of minutes above 0, such as `30`."],
} as const;

/** Reads inputs. An invalid value becomes a problem, and the default is used. */
export class InputReader {
  readonly #problems: Problem[];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  /** Reports an invalid value. */
  reject(name: string, value: string, help: string): void {
    this.#problems.push(error("wrong-input", `The input \`${name}\` is \`${value}\`.`, { help }));
  }

  /** Patterns of files, one per line, of which one at least does not start with `!`. */
  list(name: string, fallback: readonly string[]): readonly string[] {
    const lines = this.globs(name);
    if (lines.some((line) => !line.startsWith("!"))) return lines;
    if (lines.length > 0)
      this.reject(name, lines.join(", "), "All patterns start with `!`: add one without.");
    return fallback;
  }

  /** An absolute path; undefined if not set. */
  file(name: string, workspace: string): string | undefined {
    const value = core.getInput(name);
    return value === "" ? undefined : resolve(workspace, value);
  }

  /** Globs, one per line. If all start with `!`, they exclude from all that there are. */
  globs(name: string): readonly string[] {
    const lines = core.getMultilineInput(name).filter((line) => line !== "");
    const long = lines.find((line) => line.length > LONGEST_PATTERN);
    if (long !== undefined) {
      const help = "No path has more than 4,096 characters: shorten the pattern.";
      this.reject(name, `${long.slice(0, 40)}…`, help);
    } else if (lines.includes("!")) this.reject(name, lines.join(", "), "Write a pattern after `!`.");
    else return lines;
    return [];
  }

  /** Report files, one `format=path` per line. No two of them, nor one and `output-file`, are the same file. */
  reports(name: string, workspace: string, outputFile: string | undefined): ReportFile[] {
    const taken = new Set(outputFile === undefined ? [] : [follow(outputFile).real]);
    return core.getMultilineInput(name).flatMap((line): ReportFile[] => {
      const [, kind = "", path = ""] = /^([^=]*)=(.*)$/.exec(line) ?? [];
      const format = REPORT_FORMATS.find((one) => one === kind.trim().toLowerCase());
      const file = resolve(workspace, path.trim());
      const { real } = follow(file);
      const isFolder = /[/\\]$/.test(path.trimEnd());
      const isOne = path.trim() !== "" && !isFolder && !/[,;\s][a-z]+=/i.test(path);
      if (format !== undefined && isOne && !taken.has(real)) {
        taken.add(real);
        return [{ format, path: file }];
      }
      const names = listedCode(REPORT_FORMATS);
      const help = taken.has(real)
        ? "Use a different file for each report and `output-file`."
        : isFolder
          ? "The path is a folder: add the name of the file."
          : `Write one report per line, \`format=path\`, where the format is one of ${names}.`;
      this.reject(name, line, help);
      return [];
    });
  }

  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = core.getInput(name);
    if (value === "") return choices[0];
    const choice = choices.find((one) => one === value);
    if (choice !== undefined) return choice;
    this.reject(name, value, didYouMean(closest(value, choices)) ?? `Use ${listedCode(choices)}.`);
    return choices[0];
  }

  boolean(name: string): boolean {
    const value = core.getInput(name);
    if (value.toLowerCase() === "true") return true;
    if (value !== "" && value.toLowerCase() !== "false") this.reject(name, value, "Use `true` or `false`.");
    return false;
  }

  integer<T extends number | undefined>(
    name: string,
    { fallback, lowest, highest }: { fallback: T; lowest: number; highest: number },
  ): number | T {
    const value = core.getInput(name);
    if (value === "") return fallback;
    const number = Number(value);
    if (/^\d{1,9}$/.test(value) && number >= lowest && number <= highest) return number;
    this.reject(name, value, `Use a whole number from ${String(lowest)} to ${String(highest)}.`);
    return fallback;
  }

  /** Milliseconds. */
  duration(name: string, fallback: number): number {
    const value = core.getInput(name);
    const milliseconds = value === "" ? fallback : parseDuration(value);
    if (milliseconds === undefined)
      this.reject(name, value, "Use a duration such as `5m`, `300s` or a number of seconds.");
    return milliseconds ?? fallback;
  }

  /** A number above 0; undefined if not set. */
  cap(name: string, kind: keyof typeof CAPS): number | undefined {
    const value = core.getInput(name);
    if (value === "") return undefined;
    const [pattern, help] = CAPS[kind];
    const number = pattern.test(value) ? Number(value.replace("$", "")) : NaN;
    if (number > 0) return number;
    this.reject(name, value, help);
    return undefined;
  }

  /** Prices, one per line: `glob=input/output/cached` in US dollars per million tokens; `cached` is optional. */
  prices(name: string): OwnPrice[] {
    return core.getMultilineInput(name).flatMap((line) => {
      const at = line.lastIndexOf("=");
      const match = line.slice(0, Math.max(0, at)).trim();
      const figures = line
        .slice(at + 1)
        .split("/")
        .map((figure) => figure.trim().replace("$", ""));
      const [input = NaN, output = NaN, cached] = figures.map((figure) =>
        /^[\d.]+$/.test(figure) ? Number(figure) : NaN,
      );
      const isRead = [input, output, cached ?? 0].every(Number.isFinite) && figures.length <= 3;
      if (match !== "" && isRead) return [{ match, input, output, cached }];
      this.reject(
        name,
        line,
        "Write one price per line, `model=input/output` or `model=input/output/cached`, in US dollars per million tokens: `my-model=0.50/1.50`.",
      );
      return [];
    });
  }

  /** A path that may contain these placeholders. */
  pattern(name: string, placeholders: readonly string[]): string | undefined {
    const value = core.getInput(name);
    const unknown = [...value.matchAll(/\{\w*\}/g)].find(([one]) => !placeholders.includes(one));
    if (value !== "" && !unknown && !value.includes("\n")) return value;
    const fault = unknown ? `There is no placeholder \`${unknown[0]}\`. ` : "";
    const known = listedCode(placeholders);
    if (value !== "")
      this.reject(name, value, `${fault}Write the path of one folder; it may contain ${known}.`);
    return undefined;
  }

  fraction(name: string): number | undefined {
    const value = core.getInput(name);
    if (value === "") return undefined;
    const number = /^(\d+|\d*\.\d+)$/.test(value) ? Number(value) : NaN;
    if (number >= 0 && number <= 1) return number;
    this.reject(name, value, "Use a number from 0 to 1, such as `0.8`.");
    return undefined;
  }

  /** An API's address: the input, else the environment variable, else OpenAI; undefined if invalid. */
  url(name: string, variable: string, env: NodeJS.ProcessEnv): string | undefined {
    const input = core.getInput(name);
    const value = input || env[variable] || OPENAI;
    const fault = addressFault(value);
    if (!fault) return withoutEnd(value, "/");
    const source = input ? `The input \`${name}\`` : `The environment variable \`${variable}\``;
    const description = /[@?#]/.test(value)
      ? "an address with a user, a password or a query in it"
      : `\`${value}\``;
    const help =
      fault.azure !== undefined
        ? `For Azure OpenAI, set version and deployment separately in the input \`providers\`: \`- {match: "*", ${fault.azure}, api-key: …}\`.`
        : fault.route === undefined
          ? lacksScheme(value)
            ? "Begin it with `http://` or `https://`."
            : "Use the root of the judge's API, such as `https://api.openai.com/v1`; a key goes into `api-key`."
          : `Remove \`/${fault.route}\`: it is added to the root of the API.`;
    this.#problems.push(error("wrong-address", `${source} is ${description}.`, { help }));
    return undefined;
  }
}

/** Whether an address would be one with `http://` before it. */
function lacksScheme(value: string): boolean {
  return !value.includes("://") && /[.:]/.test(value) && addressFault(`http://${value}`) === undefined;
}
