/** The command `report`, in the bundle: the pages of a record are those of the run, and no judge is asked. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { KEY } from "../support/act.ts";
import { fail, pass, startJudge } from "../support/judge-server.ts";
import { project, promptGrader } from "../support/projects.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import { runCommand } from "../support/run-command.ts";

afterAll(removeTemporaryFolders);

const FORMATS = ["markdown", "junit", "html"] as const;

/** The pages in a folder of their own. */
function pagesIn(folder: string, name: string) {
  mkdirSync(join(folder, name));
  return {
    args: FORMATS.flatMap((format) => ["--reports", `${format}=${name}/page.${format}`]),
    read: () => FORMATS.map((format) => readFileSync(join(folder, name, `page.${format}`), "utf8")),
  };
}

/** Graded twice: a run is missing, one grader is refused, and the second time another one fails everywhere. */
async function graded() {
  const folder = project({
    tasks: ["a", "b", "c", "d"].map((id) => ({ id })),
    graders: [promptGrader("right"), promptGrader("short", "Is it short?"), promptGrader("kind", "Is it kind?")],
    runs: { d: [] },
  });
  let isWorse = false;
  const judge = await startJudge(({ prompt }) => {
    if (prompt.includes("kind")) return { status: 403, error: { message: "Not <b>this</b> one" } };
    const isBad = isWorse && !prompt.includes("short");
    return { calls: [isBad ? fail("Names the <b>file", "It says `a|b`\n::error::x") : pass("Is fine", "It is.")] };
  });
  const env = { OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: KEY };
  const call = (args: readonly string[]) => runCommand(folder, [...args], env);
  try {
    await call(["--output-file", "base.json", "--cache-dir", "none"]);
    isWorse = true;
    const first = pagesIn(folder, "first");
    const compared = ["--baseline", "base.json", "--fail-on", "regression"];
    const { out } = await call([...compared, "--output-file", "now.json", "--cache-dir", "none", ...first.args]);
    const requests = judge.asked.length;
    return { folder, call, first, out, asked: () => judge.asked.length - requests };
  } finally {
    await judge.close();
  }
}

describe("a record", () => {
  let run: Awaited<ReturnType<typeof graded>>;
  beforeAll(async () => {
    run = await graded();
  });

  test("is drawn again as its run was, without a request", async () => {
    const again = pagesIn(run.folder, "again");
    const { code, out, err } = await run.call(["report", "now.json", "--baseline", "base.json", ...again.args]);
    expect({ code, err, asked: run.asked() }).toEqual({ code: 0, err: "", asked: 0 });
    const [before, after] = [run.first.read(), again.read()];
    // The footer names the HTML report that is written beside it.
    expect(after[0]).toBe(before[0]!.replace("`first/page.html` · ", ""));
    expect(after[1]).toBe(before[1]);
    expect(visible(after[2]!)).toBe(visible(before[2]!));
    const end = (text: string) => text.slice(text.indexOf("❌")).replace(/\n(?:Record|Report): .*/g, "");
    expect(end(out)).toBe(end(run.out));
  });

  test("names the baseline that its conclusion rested on, where another or none is given", async () => {
    const alone = await run.call(["report", "now.json"]);
    expect(alone.code).toBe(0);
    expect(alone.out).toContain("The run was compared with a baseline, which is not in its record.");
    const other = await run.call(["report", "now.json", "--baseline", "now.json"]);
    expect(other.out).toContain("The run was compared with another baseline than this one");
    for (const { out } of [alone, other]) expect(out.trimEnd().split("\n").at(-1)).toMatch(/^Failed: /);
  });

  test.each([
    ["that is not there", ["nowhere.json"], "nowhere.json"],
    ["that is the agent's results", ["results.json"], "results.json:1: the file is no record of a run"],
    ["that is a copy for waza", ["now-waza/suite.json"], "now-waza/suite.json:1: the file is no record"],
    ["that a report would overwrite", ["now.json", "--reports", "junit=now.json"], "write over `now.json`"],
    ["for a table of labels", ["now.json", "--reports", "labels=l.csv"], "which has no conversations"],
  ])("%s is an error, and nothing is written", async (_, args, message) => {
    const record = readFileSync(join(run.folder, "now.json"), "utf8");
    const { code, out } = await run.call(["report", ...args]);
    expect(code).toBe(1);
    expect(out).toContain(message);
    expect(readFileSync(join(run.folder, "now.json"), "utf8")).toBe(record);
  });

  test("has to be named", async () => {
    const { code, err } = await run.call(["report"]);
    expect(code).toBe(2);
    expect(err).toContain("waza-grade report record.json");
  });
});

/** What the page tells, without the evidence and the system message, which no record has. */
function visible(html: string): string {
  return html
    .replace(/<details class="evidence">[^]*?<\/details>/g, "")
    .replace(/<h3>The agent's (?:prompt|answer)<\/h3>\n<pre[^]*?<\/pre>\n/g, "")
    .replace(/ · <a href="#evidence-[^]*?<\/a>/g, "")
    .replaceAll("\n", "");
}
