/** A rubric file: YAML front matter between two lines `---`, then the judge's instructions. */
import { LineCounter } from "yaml";
import * as z from "zod/mini";
import type { Rubric } from "../../domain/suite.ts";
import { closest } from "../../text/suggest.ts";
import { parseYaml as parseDocuments, plainData } from "../yaml/document.ts";
import { describe, dotted, valueAt } from "../yaml/source.ts";

/** The content of a rubric file. */
export interface RubricFile extends Omit<Rubric, "source"> {
  readonly description: string;
  readonly goldens: readonly RubricGolden[];
}

/** An example with the expected verdict. */
export interface RubricGolden {
  readonly name: string;
  readonly input?: string | undefined;
  readonly output: string;
  /** Further material of the agent: text, or tool calls with their results (docs/rubrics.md). */
  readonly context?: string | undefined;
  readonly expected: "pass" | "fail";
}

const SCALES = ["pass-fail", "1-5"] as const;
/** Versions as waza's semver library reads them: minor and patch are optional, and so is a leading `v`. */
const VERSION = /^v?\d+(?:\.\d+){0,2}(?:-[\da-z.-]+)?(?:\+[\da-z.-]+)?$/i;
/** Added to the instructions of a rubric of the scale 1-5. */
export const FULL_MARKS =
  "The scale is 1 to 5. Only 5, full marks, is a pass: call set_waza_grade_pass for a 5 and set_waza_grade_fail for anything less, and begin the reason with the score.";

const filled = (expected: string) =>
  z.string(expected).check(z.refine((value) => value.trim() !== "", expected));

const golden = z.object(
  {
    name: filled("expected the example's name"),
    input: z.nullish(z.string("expected text")),
    output: filled("expected what the agent answered"),
    context: z.nullish(z.string("expected text")),
    expected: z.enum(["pass", "fail"], "expected `pass` or `fail`"),
  },
  "expected a mapping with `name`, `output` and `expected`",
);

/** The fields that waza requires are required here too (waza, internal/graders/rubric.go). */
const frontMatter = z.object(
  {
    name: filled("expected the rubric's name"),
    version: filled("expected a version such as `1.0.0`").check(
      z.regex(VERSION, "expected a version such as `1.0.0`"),
    ),
    scale: z.enum(SCALES, "expected `pass-fail` or `1-5`"),
    description: filled("expected a sentence that says what the rubric checks"),
    needs: z.optional(z.enum(["conversation", "sources"], "expected `conversation` or `sources`")),
    goldens: z.optional(
      z.pipe(
        z.transform((value) => value ?? []),
        z.array(golden, "expected a list of examples"),
      ),
    ),
  },
  "expected a mapping with `name`, `version`, `scale` and `description`",
);

/**
 * Reads the text of a rubric file; returns what is wrong, as a clause, if the front matter is missing, is not YAML or
 * lacks a field, or if there are no instructions.
 */
export function parseRubric(text: string): RubricFile | { readonly wrong: string } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.trimEnd() !== "---")
    return { wrong: "it does not begin with front matter, a line `---` before its name and version" };
  const last = lines.findIndex((line, index) => index > first && line.trimEnd() === "---");
  if (last < 0) return { wrong: "its front matter is not closed by a second line `---`" };
  const data = parseYaml(lines.slice(first + 1, last).join("\n"), first + 2);
  if ("wrong" in data) return data;
  const read = z.safeParse(frontMatter, data.value);
  if (!read.success) return { wrong: describeIssue(read.error.issues[0], data.value) };
  const body = lines
    .slice(last + 1)
    .join("\n")
    .trim();
  if (body === "") return { wrong: "no instructions for the judge follow its front matter" };
  const { name, version, scale, description, needs, goldens } = read.data;
  return {
    name: name.trim(),
    version: version.trim(),
    scale,
    description: description.trim(),
    needs,
    instructions: scale === "1-5" ? `${body}\n\n${FULL_MARKS}` : body,
    goldens: (goldens ?? []).map(withoutAbsent),
  };
}

/** Every scalar stays text, as in waza's other files; `firstLine` is the first line of the front matter. */
function parseYaml(
  text: string,
  firstLine: number,
): { readonly value: unknown } | { readonly wrong: string } {
  const lineCounter = new LineCounter();
  const documents = parseDocuments(text, lineCounter);
  const read = "reason" in documents ? documents : plainData(documents[0]);
  if ("data" in read) return { value: read.data };
  const line = lineCounter.linePos(read.offset).line + firstLine - 1;
  return { wrong: `its front matter is not valid YAML, line ${String(line)}: ${lastDot(read.reason)}` };
}

function lastDot(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function describeIssue(issue: z.core.$ZodIssue | undefined, data: unknown): string {
  const path = issue?.path ?? [];
  const where = path.length > 0 ? ` for \`${dotted(path)}\`` : "";
  const found = path.length > 0 ? `, ${describe(valueAt(data, path) || undefined)}` : "";
  return `in its front matter${where}: ${issue?.message ?? "something is wrong"}${found}${misspelled(data, path)}`;
}

/** The misspelled key beside a missing one, as the end of a clause. */
function misspelled(data: unknown, path: readonly PropertyKey[]): string {
  const key = path.at(-1);
  if (typeof key !== "string" || valueAt(data, path) !== undefined) return "";
  const near = closest(key, Object.keys(valueAt(data, path.slice(0, -1)) ?? {}));
  return near === undefined ? "" : `; \`${near}\` seems to be meant for \`${key}\``;
}

function withoutAbsent({ input, context, ...rest }: z.infer<typeof golden>): RubricGolden {
  return {
    ...rest,
    input: typeof input === "string" ? input : undefined,
    context: typeof context === "string" ? context : undefined,
  };
}
