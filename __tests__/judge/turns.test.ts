import { describe, expect, test } from "@jest/globals";
import { completeAt } from "../../src/judge/expected-calls.ts";
import { MAX_TURNS } from "../../src/judge/openai-judge.ts";
import { callHabits, isComplete } from "../../src/judge/turns.ts";
import { pass } from "../support/judge-server.ts";
import { ask, closeServers, judgeAt, outcomes, request, serve } from "./judging.ts";
import { gradeAll, PROMPTS, SPLIT, STYLES, turnSavings } from "./turn-cases.ts";

closeServers();

describe("the calls a prompt plainly asks for", () => {
  test("are of more than sixty prompts, all different", () => {
    expect(PROMPTS.length).toBeGreaterThan(60);
    expect(new Set(PROMPTS.map(({ prompt }) => prompt)).size).toBe(PROMPTS.length);
  });

  test.each(PROMPTS)("are never fewer than a careful judge makes: $kind, $prompt", ({ prompt, calls }) => {
    expect(completeAt(prompt) ?? calls).toBe(calls);
  });

  test.each(PROMPTS.filter(({ kind }) => kind === "a number"))("are known: $prompt", ({ prompt, calls }) => {
    expect(completeAt(prompt)).toBe(calls);
  });
});

describe("`auto`", () => {
  test.each(Object.entries(STYLES))(
    "gives the same checks as `until-done`, never by more requests, for a judge that reports %s",
    async (_name, style) => {
      const [auto, all] = [await gradeAll(style, "auto"), await gradeAll(style, "until-done")];
      const seen = (graded: typeof auto) =>
        graded.map(({ of, checks, incomplete }) => ({ prompt: of.prompt, checks, incomplete }));
      expect(seen(auto)).toEqual(seen(all));
      for (const [index, { requests }] of auto.entries())
        expect(requests).toBeLessThanOrEqual(all[index]?.requests ?? 0);
    },
  );

  test("gives them too for a judge that splits what a numbered prompt asks for", async () => {
    const numbered = PROMPTS.filter(({ prompt }) => completeAt(prompt) !== undefined);
    const [auto, all] = [
      await gradeAll(SPLIT, "auto", numbered),
      await gradeAll(SPLIT, "until-done", numbered),
    ];
    expect(auto.map(({ checks }) => checks)).toEqual(all.map(({ checks }) => checks));
  });

  test("has one exception: no number in the prompt, and a judge that goes on after a first reply of two or more", async () => {
    const others = PROMPTS.filter(({ prompt, calls }) => completeAt(prompt) === undefined && calls > 2);
    const auto = await gradeAll(SPLIT, "auto", others);
    expect(auto.map(({ checks }) => checks.length)).toEqual(auto.map(() => 2));
    const all = await gradeAll(SPLIT, "until-done", others);
    expect(all.map(({ checks }) => checks.length)).toEqual(others.map(({ calls }) => calls));
  });

  test("saves these shares of the requests of `until-done`, in percent", async () => {
    const savings = await turnSavings();
    expect(savings).toEqual(SAVINGS);
  });
});

test.each([
  "Call set_waza_grade_pass once if the code compiles. Call set_waza_grade_pass once if the docs exist.",
  "If the code compiles call set_waza_grade_pass, otherwise call set_waza_grade_fail. Next, do that with the docs.",
  "If it is right call set_waza_grade_pass, otherwise set_waza_grade_fail. Continue with the docs and the tests.",
  "Call set_waza_grade_pass if so, otherwise call set_waza_grade_fail. Do this for code or docs.",
  "Give a single verdict on the code. Then judge the docs.",
  "Call exactly one of the two tools on code quality. Next, judge the docs.",
  "Use only one of the tools: on code, on docs, on tests.",
  "Make exactly 2 calls, then a call for style.",
  "Make exactly two calls. Also make a call about the docs.",
  "Check the links in the answer. Call set_waza_grade_pass if a link works, otherwise set_waza_grade_fail.",
  "Look at the rows of the table. Call set_waza_grade_pass if right, otherwise set_waza_grade_fail.",
  "Check greeting, body, closing. Call set_waza_grade_pass once where polite and set_waza_grade_fail once where rude.",
  "Make twenty-one calls total.",
  "Call set_waza_grade_pass for claims that hold, otherwise call set_waza_grade_fail.",
  "Check whether files compile. Call set_waza_grade_pass for those that do, else call set_waza_grade_fail.",
  "Decide if statements are right. Call set_waza_grade_pass on right ones, otherwise set_waza_grade_fail.",
  "Does a function have a docstring? Call set_waza_grade_pass if so, otherwise set_waza_grade_fail.",
  "Give only one verdict on correctness, only one on style.",
  "Is the answer correct/complete/polite? Call set_waza_grade_pass if so, otherwise set_waza_grade_fail.",
  "Verify whether the table is right row after row. Call set_waza_grade_pass if so, otherwise set_waza_grade_fail.",
  "Call set_waza_grade_pass if one row is right, otherwise set_waza_grade_fail.",
  "Make exactly 2 calls. Do so for the code. Do so for the docs.",
  "Report exactly two calls (tone + facts) apiece.",
  "Report exactly two calls (a file).",
  "Make 1,500 calls total.",
  "Exactly one call: tone. Exactly one call: facts.",
  "Make exactly 2 calls (tone) and two (facts).",
  "Is it right? Call set_waza_grade_pass if so, otherwise set_waza_grade_fail, claim by claim.",
  "Call set_waza_grade_pass if it passes, otherwise set_waza_grade_fail until no test is left.",
])("in doubt nobody knows when the calls are all there: %s", (prompt) => {
  expect(completeAt(prompt)).toBeUndefined();
});

/** What a page may quote; for a model that is not known to put all its calls into one reply. */
const SAVINGS = {
  "all at once": {
    "one verdict": 30,
    "a number": 50,
    "a list": 50,
    "per criterion": 50,
    "another number": 44,
    "a score": 10,
    "PASS or FAIL": 10,
    "no word of tools": 25,
    "another language": 38,
    "as in real evals": 38,
    "all kinds": 38,
  },
  "one by one": {
    "one verdict": 30,
    "a number": 19,
    "a list": 0,
    "per criterion": 0,
    "another number": 0,
    "a score": 0,
    "PASS or FAIL": 0,
    "no word of tools": 0,
    "another language": 0,
    "as in real evals": 8,
    "all kinds": 6,
  },
};

describe("the other policies", () => {
  test("`single` takes the first reply with a report for all there is, and still reminds one without", async () => {
    for (const style of ["all at once", "one by one", "only when reminded", "reads first"]) {
      const graded = await gradeAll(STYLES[style]!, "single");
      const first = { "all at once": 1, "one by one": 1, "only when reminded": 2, "reads first": 3 }[style];
      expect(new Set(graded.map(({ requests }) => requests))).toEqual(new Set([first]));
    }
  });

  test("`until-done` asks until there is a reply without a call", async () => {
    const graded = await gradeAll(STYLES["one by one"]!, "until-done");
    expect(graded.map(({ requests }) => requests)).toEqual(
      graded.map(({ of }) => Math.min(Math.max(MAX_TURNS, (completeAt(of.prompt) ?? 0) + 2), of.calls + 1)),
    );
  });
});

describe("a model that is known to put all its calls into one reply", () => {
  const one = (model: string, baseUrl: string, prompt: string, habits = callHabits()) =>
    isComplete("auto", {
      request: request({ model, messages: [{ role: "user", content: prompt }] }),
      checks: 1,
      habits,
      baseUrl,
    });

  test.each([
    ["gpt-4o-mini", "https://api.openai.com/v1"],
    ["claude-sonnet-4-5", "https://api.anthropic.com/v1"],
    ["gemini-2.5-flash", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["openai/gpt-5-mini", "https://openrouter.ai/api/v1"],
    ["gpt-4.1", "https://x.openai.azure.com/openai/v1"],
  ])("is done with one call where nothing in the prompt may be several: %s at %s", (model, url) => {
    expect(one(model, url, "Is the answer right?")).toBe(true);
    expect(one(model, url, "Check each of the files.")).toBe(false);
    expect(one(model, url, "- tone\n- facts")).toBe(false);
  });

  test.each([
    "Judge tone and accuracy.",
    "The reply must be polite. The reply must be short.",
    "Is it polite? Is it right?",
    "Bewerte Ton und Inhalt der Antwort.",
    "Check the links in the answer.",
    "Call set_waza_grade_pass if a link works, otherwise set_waza_grade_fail.",
    "Call set_waza_grade_pass if it is true, otherwise set_waza_grade_fail, claim by claim.",
  ])("is asked again where there may be a second: %s", (prompt) => {
    expect(one("gpt-4o-mini", "https://api.openai.com/v1", prompt)).toBe(false);
  });

  test("is asked again for a rubric of several criteria, whatever the prompt beside it says", () => {
    const messages = [{ role: "user" as const, content: "Be strict about it." }];
    const so = { checks: 1, habits: callHabits(), baseUrl: "https://api.openai.com/v1" };
    const asked = request({ model: "gpt-4o-mini", messages });
    expect(isComplete("auto", { request: asked, ...so })).toBe(true);
    const instructions = "1. It is short.\n2. It is polite.\nBe strict about it.";
    expect(isComplete("auto", { request: { ...asked, instructions }, ...so })).toBe(false);
  });

  test.each([
    ["gpt-4o-mini", "http://localhost:4000/v1"],
    ["gpt-4o-mini", "https://api.openai.com.evil.example/v1"],
    ["gpt-3.5-turbo", "https://api.openai.com/v1"],
    ["my-gpt-4o", "https://api.openai.com/v1"],
    ["llama-3", "https://openrouter.ai/api/v1"],
  ])("is no other, nor behind another address: %s at %s", (model, url) => {
    expect(one(model, url, "Is the answer right?")).toBe(false);
  });

  test("is none of them any more once it went on in a later reply", () => {
    const habits = callHabits();
    habits.saw("gpt-4o", 1, 1);
    expect(one("gpt-4o", "https://api.openai.com/v1", "Is the answer right?", habits)).toBe(false);
  });
});

test("a reply that also calls what there is not is never the last", async () => {
  const server = await serve(({ turn }) =>
    turn === 1 ? { calls: [pass("a"), { name: "write_file" }] } : turn === 2 ? { calls: [pass("b")] } : {},
  );
  const answer = await ask(judgeAt(server, { turns: "single" }));
  expect(outcomes(answer)).toBe("pass pass");
});
