/** The HTML report: what it holds, and what a real browser makes of it, with any content. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import type { Grade } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { compare } from "../../src/decide/compare.ts";
import { buildAnnotations } from "../../src/report/annotations.ts";
import { renderHtml } from "../../src/report/html.ts";
import { ATTACKS } from "../support/attacks.ts";
import { CHROMIUM, startBrowser, type Browser } from "../support/browser.ts";
import { agreementOf } from "../../src/labels/agreement.ts";
import type { Label } from "../../src/labels/labels.ts";
import { graded, ungraded } from "../support/rows.ts";
import { suiteOf, times } from "../support/factories.ts";
import { erroredOf, fail, pass, reportOf, verdictOf, type Made } from "../support/grades.ts";
import { reportWith, SOURCE } from "../support/hostile-report.ts";

const html = (report: Report) => [...renderHtml(report, {})].join("");

const SUITE = suiteOf({ title: "explainer" });
const RED = verdictOf([pass("is short", "ten words"), fail("is right", 'It says "the answer is 41".')], {
  response: "I looked twice.",
  votes: { passed: 1, failed: 2, errored: 0 },
});
const GREEN = verdictOf([pass("is polite", "thanks")]);
const ERRORED = erroredOf({ class: "rate-limit", message: "Too fast.", help: "Slow down." });

/** Two runs; the first is shown to two graders alike, and its evidence is `evidence`. */
function sample(evidence = "The agent said that the answer is 41."): Report {
  const sent = (text: string): Grade["sent"] => [
    { kind: "system", title: "", text: "You are a judge." },
    { kind: "section", title: "final output", text },
  ];
  const quiet = { task: "quiet", run: { finalOutput: "…" }, sent: sent("Nothing was said.") };
  const loud = {
    task: "loud",
    run: { finalOutput: "So the answer is 41, I think.", origin: { file: 0, task: 1, run: 0 } },
    sent: sent(evidence),
  };
  const asked = (name: string, made: Made): Made => ({
    ...made,
    suite: SUITE,
    grader: { name, prompt: `Ask about ${name}.` },
  });
  return reportOf(
    [
      asked("polite", { verdict: GREEN, ...quiet }),
      asked("right", { verdict: RED, ...loud }),
      asked("polite", { verdict: ERRORED, ...loud }),
    ],
    { sourceUrl: SOURCE },
  );
}

/** Every tag of ours with its attributes as we write them; what is left of a page without them has no `<`. */
const TAG = /<\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*>/g;

describe("the page", () => {
  test("tells every grade with what was asked, the evidence once for its run, calls, text and votes", () => {
    const page = html(sample());
    for (const text of [
      "<b><bdi>right</bdi></b>",
      "Ask about right.",
      "I looked twice.",
      "ten words",
      "Votes: failed in 2 of 3 votes.",
      "So the answer is 41, I think.",
      '<div class="part section"><b>final output</b>\nThe agent said',
      "<details><summary>The grader's prompt</summary>",
      "rate-limit: Too fast. Slow down.",
    ])
      expect(page).toContain(text);
    expect(page.split("The agent said that the answer is 41.")).toHaveLength(2);
    expect(page.split("You are a judge.")).toHaveLength(2);
    expect(page.match(/href="#evidence-1"/g)).toHaveLength(2);
  });

  test("tells each reason of the votes once, in annotations too", () => {
    const checks = ["It is 41.", "It is odd.", "It is 41."].map((reason) => fail("is right", reason));
    const of = reportOf([{ verdict: { ...RED, checks } }]);
    const message = buildAnnotations(of)[0]?.message ?? "";
    for (const text of [message, /<div id="grade-[^]*?<\/details>/.exec(html(of))?.[0] ?? ""])
      expect(text.match(/It is (?:41|odd)\./g)).toEqual(["It is 41.", "It is odd."]);
  });

  test("has the runs with failures first, failed grades open, and an address for each that stays", () => {
    const page = html(sample());
    expect(page.indexOf("<summary><b>loud</b>")).toBeLessThan(page.indexOf("<summary><b>quiet</b>"));
    expect(page.match(/<details class="task"[^>]*>/g)?.map((tag) => tag.includes(" open"))).toEqual([
      true,
      false,
    ]);
    expect(page).toContain('<b>loud</b> <small title="failed">❌ 1</small> <small title="errored">');
    expect(page.indexOf("<bdi>loud</bdi></a></th>")).toBeLessThan(page.indexOf("<bdi>quiet</bdi></a></th>"));
    expect(page.match(/<details class="grade failed" data-grader="[^"]*" open>/g)).toHaveLength(1);
    const [first = ""] = /grade-loud-right-1-[0-9a-f]{12}/.exec(page) ?? [];
    expect(page.split(`<div id="${first}" `)).toHaveLength(2);
    expect(page.split(`href="#${first}"`)).toHaveLength(4);
    expect(html(sample("Another evidence."))).toContain(`<div id="${first}" `);
  });

  test("shows evidence of one text once, and counts advisory graders apart, without a score", () => {
    const one = sample();
    const [grade] = one.scores.grades.filter(({ task }) => task === "loud");
    const shown = grade?.sent?.map((message) => ({ ...message }));
    const again = { ...grade!, sent: shown, advisory: true } as const;
    const page = html({ ...one, advisory: { scores: scoreGrades([SUITE], [again]) } });
    expect(page.split("The agent said that the answer is 41.")).toHaveLength(2);
    expect(page.match(/href="#evidence-1"/g)).toHaveLength(3);
    expect(page).toContain("1 failed + 1 advisory</label>");
    expect(page).toContain("1 passed</label>");
    expect(page).toMatch(/<h2>Advisory graders /);
  });

  test("shows code as code in its title, and tells its verdict once", () => {
    const one = sample();
    const sentences = ["the golden task `loud` has to pass"] as const;
    const page = html({ ...one, conclusion: { ...one.conclusion, sentences } });
    expect(page).toContain(" explainer: the golden task <code>loud</code> has to pass");
    expect(page).toContain("<title>explainer: the golden task loud has to pass");
    expect(page.split("has to pass")).toHaveLength(3);
  });

  test("says how far it moved against the baseline", () => {
    const before = [graded(), graded({ task: "other" })];
    const comparison = compare(before, [graded(), graded({ task: "other", passed: false })]);
    expect(html({ ...sample(), comparison })).toContain("<p>▼ ");
  });

  test("tells how the judge agrees with people, and where not", () => {
    const person = { passed: true, note: "Fine <b>by</b> me." } as Label;
    const agreement = agreementOf([
      { label: person, grade: graded({ passed: false, reason: "Too long." }) },
      { label: person, grade: ungraded("errored", { reason: "Too fast." }) },
      ...times(5, () => ({ label: person, grade: graded() })),
    ]);
    const page = html({ ...sample(), agreement });
    expect(page).toContain("<h2>Is the judge right?</h2>");
    expect(page).toMatch(
      /<th scope="row"><b>all<\/b><\/th><td class="left"><b>0\.83<\/b> \(5 of 6; .*<td class="right">5<\/td>/,
    );
    expect(page).toContain('<p class="title">1 disagreement</p>');
    expect(page).toContain(
      "the judge: ❌ failed: Too long.<br>the person: ✅ passed: Fine &lt;b>by&lt;/b> me.",
    );
    expect(page).toContain("errored: Too fast.");
    expect(html(sample())).not.toContain("Is the judge right?");
  });

  test.each(ATTACKS)("holds nothing but our own elements with %s", (_name, text) => {
    const page = html(reportWith(text)).replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
    expect(page.replace("<!doctype html>", "").replaceAll(TAG, "")).not.toContain("<");
    for (const [, name = "", value = ""] of (page.match(TAG) ?? []).flatMap((tag) => [
      ...tag.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g),
    ])) {
      expect(name).toMatch(
        /^(?:aria-label|checked|class|content|data-eval|data-grader|data-of|hidden|href|http-equiv|id|lang|name|open|placeholder|role|scope|tabindex|title|type|value|charset)$/,
      );
      if (name === "href") expect(value.startsWith("#") || value.startsWith(`${SOURCE}/`)).toBe(true);
    }
  });
});

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser("in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "waza-grade-html-"));
  let browser: Browser;
  let shown = 0;

  beforeAll(async () => {
    browser = await startBrowser(CHROMIUM ?? "");
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function show(report: Report, hash = ""): Promise<void> {
    const file = join(folder, "report.html");
    writeFileSync(file, html(report));
    // An address that differs in its hash alone would not be loaded anew.
    shown += 1;
    await browser.open(`${pathToFileURL(file).href}?${String(shown)}${hash}`);
  }

  /** The grades that no filter hides, also of tasks that are not opened. */
  const visible = async () =>
    await browser.evaluate(
      `[...document.querySelectorAll('.grade > summary')].filter((one) => {
        for (let part = one; part !== null; part = part.parentElement)
          if (getComputedStyle(part).display === 'none') return false;
        return true;
      }).map((one) => one.querySelector('b').textContent).join()`,
    );

  test("filters by state, and searches grades and what the judge saw, whose task opens", async () => {
    await show(sample());
    expect(await visible()).toBe("right,polite,polite");
    await browser.evaluate("document.getElementById('show-passed').click()");
    expect(await visible()).toBe("right,polite");
    await browser.evaluate("document.getElementById('show-passed').click()");
    await browser.press("/");
    for (const key of "nothing") await browser.press(key);
    // The search waits for the next key: what never comes is the test's time limit.
    while ((await visible()) !== "polite");
    expect(await browser.evaluate("document.getElementById('found').textContent")).toBe("1 grade");
    expect(await browser.evaluate("[...document.querySelectorAll('.task[open]')].length")).toBe(2);
    await browser.press("Escape");
    expect(await visible()).toBe("right,polite,polite");
    await browser.evaluate(
      "(one => { one.value = 'polite'; one.dispatchEvent(new Event('change')); })(document.querySelector('[data-of=grader]'))",
    );
    expect(await visible()).toBe("polite,polite");
    expect(await browser.evaluate("document.getElementById('sections').checkVisibility()")).toBe(false);
    await browser.press("Escape");
    expect(await visible()).toBe("right,polite,polite");
  });

  test("opens what a link leads to, also where a filter hides it", async () => {
    const [address = ""] = /grade-quiet-polite-1-[0-9a-f]{12}/.exec(html(sample())) ?? [];
    await show(sample(), `#${address}`);
    const opened = "[...document.querySelectorAll('.grade[open] .body')].map((one) => one.id).join()";
    expect(await browser.evaluate(opened)).toContain(address);
    await show(sample());
    await browser.evaluate("document.getElementById('show-passed').click()");
    expect(await visible()).toBe("right,polite");
    await browser.evaluate(`document.querySelector('#sections a[href="#${address}"]').click()`);
    // The event of the new address comes later: what never comes is the test's time limit.
    while ((await visible()) !== "right,polite,polite");
    expect(await browser.evaluate(opened)).toContain(address);
  });

  test("shows everything with scripts switched off, and folds are opened for the printer", async () => {
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
    await show(sample());
    expect(await visible()).toBe("right,polite,polite");
    await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
    await show(sample());
    const isShown = "document.querySelector('.grade.passed ul').checkVisibility()";
    expect(await browser.evaluate(isShown)).toBe(false);
    await browser.send("Emulation.setEmulatedMedia", { media: "print" });
    // The frame that shows it may come later: what never comes is the test's time limit.
    const later = `new Promise((done) => { const look = () => (${isShown} ? done(true) : setTimeout(look, 20)); look(); })`;
    expect(await browser.evaluate(later)).toBe(true);
    await browser.send("Emulation.setEmulatedMedia", { media: "" });
  });

  test("opens 1,000 grades of 20 KB of evidence each", async () => {
    const [one] = sample().scores.grades;
    const grades = times(1_000, (index): Row => {
      const id = `task-${String(index)}`;
      const text = `${id} ${"said and done. ".repeat(1_365)}`;
      return {
        ...one!,
        task: id,
        origin: { file: 0, task: index, run: 0 },
        sent: [{ kind: "section", title: "final output", text }],
      };
    });
    const report = { ...sample(), scores: scoreGrades([SUITE], grades) };
    await show(report);
    expect(await browser.evaluate("document.querySelectorAll('.grade').length")).toBe(1_000);
    expect(
      await browser.evaluate("document.getElementById('evidence-1000').textContent.length > 20000"),
    ).toBe(true);
  });

  test("runs nothing, asks for nothing and looks the same, with any texts", async () => {
    const asked = browser.requests.length;
    const shapes = new Map<string, unknown>();
    for (const [name, text] of [["harmless", "harmless"] as const, ...ATTACKS]) {
      await show(reportWith(text.slice(0, 2_000)));
      const shape = await browser.evaluate(
        "[...document.querySelectorAll('*')].filter(({ tagName }) => !/^(?:BR|CODE|BLOCKQUOTE|MARK)$/.test(tagName)).map(({ tagName, attributes }) => tagName + [...attributes].map(({ name }) => name).join()).join(' ')",
      );
      shapes.set(name, shape);
    }
    const odd = [...shapes].filter(([, shape]) => shape !== shapes.get("harmless")).map(([name]) => name);
    expect(odd).toEqual([]);
    expect(browser.requests.slice(asked).filter((address) => !/^(?:file:|about:)/.test(address))).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
