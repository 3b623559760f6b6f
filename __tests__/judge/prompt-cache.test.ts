/** What a provider's prompt cache needs: the same bytes first, one request before the others, and a key. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { GradingJob } from "../../src/domain/grade.ts";
import type { Run } from "../../src/domain/run.ts";
import { gradeJobs } from "../../src/judge/grade.ts";
import type { Endpoint } from "../../src/judge/api/wire.ts";
import { recordedJudge } from "../../src/judge/cache.ts";
import { startMeter, type Judge } from "../../src/judge/judge.ts";
import { prices } from "../../src/judge/spend.ts";
import { agent, graderOf, runOf, suiteOf, tool, user } from "../support/factories.ts";
import { finish, pass, together, type Asked, type Reply } from "../support/judge-server.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { ask, NO_RETRY, closeServers, judgeAt, serve, RETRY_NOW } from "./judging.ts";

closeServers();
afterAll(removeTemporaryFolders);

const DONE: Reply = { calls: [pass("a"), finish] };
const AZURE: Partial<Endpoint> = { azure: { apiVersion: "2026-01-01" } };

const TASK = { id: "t", name: "t", prompt: "Do it." };

const jobsOf = (run: Run, prompts: readonly string[], changes: Partial<GradingJob> = {}): GradingJob[] =>
  prompts.map((prompt) => ({
    suite: suiteOf(),
    task: TASK,
    grader: graderOf({ name: prompt, prompt }),
    judgeModel: "judge-1",
    run,
    ...changes,
  }));

const grade = (jobs: readonly GradingJob[], judge: Judge, maxConcurrency = 10) =>
  gradeJobs(jobs, { judge, maxConcurrency, timeoutMs: 120_000, redact: String });

const FOUR = ["#0", "#1", "#2", "#3"];

describe("the graders of a run", () => {
  const steps = [user("Do it."), tool({ result: "x".repeat(3_000) }), agent("Done.")];
  const task = { id: "t", name: "t", files: [{ name: "a.md", content: "given" }] };
  test.each<[string, Partial<GradingJob>, Partial<GradingJob["grader"]>]>([
    ["an output alone", { run: runOf() }, {}],
    ["a conversation", { run: runOf({ steps }) }, {}],
    ["files to read", { run: runOf({ steps }), task }, {}],
    ["a replayed session", { run: runOf({ steps }) }, { continueSession: true }],
  ])("of %s are sent the same bytes before their prompts", async (_, changes, how) => {
    const server = await serve(() => DONE);
    const rubric = { name: "r", instructions: "A rubric." } as GradingJob["grader"]["rubric"];
    const jobs = jobsOf(changes.run ?? runOf(), [...FOUR, "with a rubric"], changes).map((job, index) => ({
      ...job,
      grader: { ...job.grader, ...how, ...(index === 4 ? { rubric } : {}) },
    }));
    await grade(jobs, judgeAt(server));
    const first = server.asked.map(({ request: { messages, ...fields } }) => {
      const end = messages.findIndex(({ content }) => content === "A rubric." || content === "#0");
      return JSON.stringify([fields, messages.slice(0, end < 0 ? -1 : end)]);
    });
    expect(first).toHaveLength(5);
    expect(new Set(first).size).toBe(1);
  });
});

describe("the requests of a run", () => {
  /** Counts, for each run, the requests that come before its first reply. */
  const watch = () => {
    const early = new Map<string, number>();
    const replied = new Set<string>();
    const script = ({ evidence }: Asked): Reply => {
      replied.add(runIn(evidence));
      return DONE;
    };
    const arrive = ({ evidence }: Asked) => {
      const run = runIn(evidence);
      if (!replied.has(run)) early.set(run, (early.get(run) ?? 0) + 1);
    };
    return { early, replied, arrive, script };
  };
  const runIn = (evidence: string) => /run-\d+/.exec(evidence)?.[0] ?? "";
  const runs = (count: number) =>
    Array.from({ length: count }, (_, index) => longRun(`run-${String(index)}.`));
  /** A run whose evidence is worth keeping. */
  const longRun = (output: string) => runOf({ finalOutput: output.padEnd(4_096, " Done.") });
  const later = async (asked: Asked, script: (asked: Asked) => Reply): Promise<Reply> => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return script(asked);
  };

  test("follow the reply to the first, while other runs use the free slots", async () => {
    const { early, arrive, script } = watch();
    const held = together(10, script);
    const server = await serve((asked) => {
      arrive(asked);
      return held(asked);
    });
    const grades = await grade(
      runs(12).flatMap((run) => jobsOf(run, FOUR)),
      judgeAt(server),
    );
    expect(grades.map(({ verdict }) => verdict.state)).toEqual(Array(48).fill("graded"));
    expect([...early.values()]).toEqual(Array(12).fill(1));
  });

  test("are asked for before later runs begin, since caches expire", async () => {
    const left = new Map<string, number>();
    let most = 0;
    const server = await serve((asked) =>
      later(asked, ({ evidence }) => {
        left.set(evidence, (left.get(evidence) ?? FOUR.length) - 1);
        most = Math.max(most, [...left.values()].filter((one) => one > 0).length);
        return DONE;
      }),
    );
    const jobs = runs(20).flatMap((run) => jobsOf(run, FOUR));
    await grade(jobs, judgeAt(server), 2);
    expect([...left.values()]).toEqual(Array(20).fill(0));
    expect(most).toBeLessThanOrEqual(4);
  });

  test("are sent together if the evidence is small", async () => {
    const server = await serve(together(4, () => DONE));
    const grades = await grade(jobsOf(runOf(), FOUR), judgeAt(server));
    expect(grades.map(({ verdict }) => verdict.state)).toEqual(Array(4).fill("graded"));
    expect(server.mostAtOnce()).toBe(4);
  });

  test("wait for the first of their own judge model", async () => {
    const models: string[] = [];
    const server = await serve(
      together(2, ({ request }) => {
        models.push(request.model);
        return DONE;
      }),
    );
    const [run = runOf()] = runs(1);
    const jobs = [...jobsOf(run, FOUR), ...jobsOf(run, FOUR, { judgeModel: "judge-2" })];
    await grade(jobs, judgeAt(server));
    expect(new Set(models.slice(0, 2))).toEqual(new Set(["judge-1", "judge-2"]));
    expect(models).toHaveLength(8);
  });

  test("go on if the first fails", async () => {
    // It fails at once, and all that come after its failure are answered together.
    const others = together(FOUR.length, () => DONE);
    const prompts: string[] = [];
    const server = await serve((asked) => {
      prompts.push(asked.prompt);
      return prompts.length === 1 ? { status: 500, headers: RETRY_NOW } : others(asked);
    });
    const grades = await grade(jobsOf(longRun(""), FOUR), judgeAt(server));
    expect(grades.every(({ verdict }) => verdict.state === "graded")).toBe(true);
    expect(prompts[0]).toBe("#0");
    expect(prompts.slice(1).sort()).toEqual(FOUR);
  });

  test("go on if the first grade ends without a reply", async () => {
    const server = await serve(({ prompt }) =>
      prompt === "#0" ? { status: 400, error: { message: "No." }, headers: NO_RETRY } : DONE,
    );
    const grades = await grade(jobsOf(longRun(""), FOUR), judgeAt(server));
    expect(grades.map(({ verdict }) => verdict.state)).toEqual(["errored", "graded", "graded", "graded"]);
  });

  test("begin with the first verdict that is not recorded", async () => {
    const { early, replied, arrive, script } = watch();
    const server = await serve((asked) => {
      arrive(asked);
      return later(asked, script);
    });
    const judge = recordedJudge(judgeAt(server), { folder: temporaryFolder("records"), warn: String });
    const [run = runOf(), other = runOf()] = runs(2);
    await grade(jobsOf(run, ["#0"]), judge);
    replied.clear();
    early.clear();
    await grade([...jobsOf(run, FOUR), ...jobsOf(other, FOUR)], judge);
    expect(server.asked).toHaveLength(8);
    expect([...early.values()]).toEqual([1, 1]);
  });
});

describe("the cache is marked", () => {
  const shared = { messages: 2, key: "hash-of-the-evidence" };
  const marked = (mark: object) => [{ type: "text", text: "evidence", ...mark }];
  const explicit = { mode: "explicit" };
  const key = { prompt_cache_key: shared.key };
  const kept = { ...key, prompt_cache_options: explicit };
  const breakpoint = marked({ prompt_cache_breakpoint: explicit });

  test.each<[string, string, Partial<Endpoint>, boolean, object, unknown]>([
    ["any server is sent no key", "gpt-5.6", {}, true, {}, "evidence"],
    ["Azure's gets a key", "gpt-4o-mini", AZURE, true, key, "evidence"],
    ["GPT-5.5 as well", "gpt-5.5-pro", AZURE, true, key, "evidence"],
    ["GPT-5.6 gets a breakpoint, too", "gpt-5.6", AZURE, true, kept, breakpoint],
    ["and so does what came later", "gpt-6-mini", AZURE, true, kept, breakpoint],
    [
      "which writes nothing where nothing is asked again",
      "gpt-5.6",
      AZURE,
      false,
      { prompt_cache_options: explicit },
      "evidence",
    ],
    [
      "Anthropic's models, behind a router, get their own mark",
      "anthropic/claude-sonnet-5",
      {},
      true,
      {},
      marked({ cache_control: { type: "ephemeral" } }),
    ],
    ["but not where nothing is asked again", "anthropic/claude-sonnet-5", {}, false, {}, "evidence"],
  ])("%s", async (_, model, endpoint, reused, fields, evidence) => {
    const server = await serve(() => DONE);
    await ask(judgeAt(server, { endpoint }), { model, shared, reused });
    const { prompt_cache_key, prompt_cache_options, messages } = server.asked[0]?.request ?? {};
    expect(JSON.parse(JSON.stringify({ prompt_cache_key, prompt_cache_options }))).toEqual(fields);
    expect(messages?.map(({ content }) => content)).toEqual(["You are a judge.", evidence, "Is it good?"]);
  });

  test("in the Responses API too", async () => {
    const server = await serve(() => DONE);
    const endpoint = { ...AZURE, api: "responses" as const };
    await ask(judgeAt(server, { endpoint }), { model: "gpt-5.6", shared, reused: true });
    expect(server.asked[0]?.responses).toMatchObject({
      ...kept,
      input: [
        { content: "You are a judge." },
        { content: [{ type: "input_text", text: "evidence", prompt_cache_breakpoint: explicit }] },
        { content: "Is it good?" },
      ],
    });
  });

  test.each<[string, string, Partial<Endpoint>, string, readonly string[]]>([
    [
      "a breakpoint",
      "gpt-5.6",
      AZURE,
      "Unrecognized request argument supplied: ",
      ["the fields for the prompt cache were left out"],
    ],
    [
      "Anthropic's mark",
      "anthropic/claude-sonnet-5",
      {},
      "messages.1.content.0.cache_control: Extra inputs are not permitted",
      ["the fields for the prompt cache were left out"],
    ],
    [
      "a refusal that says nothing",
      "anthropic/claude-sonnet-5",
      {},
      "Provider returned error",
      ["the fields for the prompt cache were left out"],
    ],
    [
      "a list of parts",
      "anthropic/claude-sonnet-5",
      {},
      "messages[1].content: invalid type: sequence, expected a string",
      ["the fields for the prompt cache were left out"],
    ],
  ])(
    "and a refusal of it is learned, once for all grades, also after one that had nothing to keep: %s",
    async (_, model, endpoint, wording, changes) => {
      let refusals = 0;
      const refuse = (message: string): Reply => {
        refusals += 1;
        return { status: 400, error: { message } };
      };
      const server = await serve(({ request }) => {
        if (request.prompt_cache_options) return refuse(`${wording}prompt_cache_options`);
        if (request.prompt_cache_key) return refuse(`${wording}prompt_cache_key`);
        return typeof request.messages[1]?.content === "string" ? DONE : refuse(wording);
      });
      for (const kinds of [
        [true, true, false],
        [false, true, true],
      ]) {
        refusals = 0;
        const judge = judgeAt(server, { endpoint });
        for (const reused of kinds) await ask(judge, { model, shared, reused });
        expect(refusals).toBe(changes.length);
        expect((await ask(judge, { model, shared, reused: true })).changes).toEqual(changes);
      }
    },
  );
});

describe("tokens of the cache", () => {
  const usage = { input: 1_000_000, output: 0, cached: 600_000, written: 300_000 };

  test("are counted, read and written", async () => {
    const server = await serve(() => ({ ...DONE, usage }));
    const meter = startMeter();
    await ask(judgeAt(server), {}, { meter });
    expect(meter).toMatchObject({ tokens: { input: 1_000_000, cached: 600_000, written: 300_000 } });
  });

  test.each([
    ["as the rest where its price is not given", { input: 2, output: 8 }, 2],
    ["at its own price where one is", { input: 2, output: 8, cached: 0.5 }, 0.4 * 2 + 0.6 * 0.5],
  ])("costs %s", async (_, own, dollars) => {
    const price = prices([{ match: "judge-*", ...own }]);
    expect(await price({ model: "judge-1", baseUrl: "http://127.0.0.1" }, usage)).toBeCloseTo(dollars, 9);
  });

  const OPENAI = "https://api.openai.com/v1";
  test.each<[string, string, string, number, number | undefined]>([
    ["gpt-6.1-terra", "gpt-6.1-terra", OPENAI, 1_000_000, 1 + 5],
    ["a dated one", "gpt-6.1-sol-2026-10-01", OPENAI, 1_000_000, 2 + 10],
    ["a short text", "claude-haiku-5-5", "https://api.anthropic.com/v1", 100_000, 0.01 + 0.5],
    ["a long text", "claude-haiku-5-5", "https://api.anthropic.com/v1", 200_000, 0.1 + 2.5],
    ["the default judge, from the list", "gpt-6-luna", OPENAI, 100_000, 0.01 + 0.5],
    ["elsewhere", "gpt-6.1-terra", "https://gateway.example.com/v1", 1_000_000, undefined],
    ["another model", "gpt-6.1-terra-pro", OPENAI, 1_000_000, undefined],
  ])("have a price of ours where the list has none: %s", async (_name, model, baseUrl, input, dollars) => {
    const cost = await prices([])({ model, baseUrl }, { input, output: 1_000_000, cached: 0 });
    if (dollars === undefined) expect(cost).toBeUndefined();
    else expect(cost).toBeCloseTo(dollars, 9);
  });

  test("have one for the first example of docs/judges.md", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/judges.md"), "utf8");
    const [, baseUrl = "", model = ""] = /base-url: (\S+)[\s\S]*?judge-model: (\S+)/.exec(page) ?? [];
    expect(await prices([])({ model, baseUrl }, { input: 3_000, output: 1_000, cached: 0 })).toBeGreaterThan(
      0,
    );
  });

  test("have the price of the kept list, read and written", async () => {
    const price = prices([]);
    const asked = { model: "claude-sonnet-4-5", baseUrl: "https://api.anthropic.com" };
    const plain = (await price(asked, { input: 1_000_000, output: 0, cached: 0 })) ?? NaN;
    const read = (await price(asked, { input: 1_000_000, output: 0, cached: 1_000_000 })) ?? NaN;
    const written =
      (await price(asked, { input: 1_000_000, output: 0, cached: 0, written: 1_000_000 })) ?? NaN;
    expect(read / plain).toBeCloseTo(0.1, 3);
    expect(written / plain).toBeCloseTo(1.25, 3);
  });
});
