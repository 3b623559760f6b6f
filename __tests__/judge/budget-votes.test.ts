import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { CapReached, budget, prices, type Caps } from "../../src/judge/spend.ts";
import { recordedJudge } from "../../src/judge/cache.ts";
import { scoreChecks } from "../../src/judge/grade-tools.ts";
import { JudgeError, startMeter, type Judge } from "../../src/judge/judge.ts";
import { votesText } from "../../src/text/states.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { fail, finish, pass, type Asked, type Reply } from "../support/judge-server.ts";
import {
  ask,
  NO_RETRY,
  closeServers,
  errorOf,
  judgeAt,
  outcomes,
  request,
  serve,
  RETRY_NOW,
  thrownBy,
} from "./judging.ts";

closeServers();

const usage = { input: 2_000, output: 500 };
const price = prices([{ match: "*", input: 10, output: 100 }]);
/** A dollar a token. */
const tokenPrice = prices([{ match: "*", input: 1e6, output: 1e6 }]);
/** US dollars of the usage above. */
const COST = (2_000 * 10 + 500 * 100) / 1e6;

/** Grades at once, each of two requests, under a cap; what the server was asked, and what became of each. */
async function twenty(caps: Caps, script?: (asked: Asked) => Reply, priced = price) {
  const server = await serve(
    script ?? (({ turn }) => (turn === 1 ? { calls: [pass("a")], usage } : { usage })),
  );
  const judge = judgeAt(server, { budget: budget(caps), price: priced });
  const meters = Array.from({ length: 20 }, startMeter);
  const settled = await Promise.allSettled(
    meters.map((meter) => judge.grade(request(), meter, new AbortController().signal)),
  );
  const ends = settled.map((one, index) => {
    if (one.status === "fulfilled") return one.value.incomplete?.class ?? "graded";
    if (one.reason instanceof CapReached) return meters[index]?.requests === 0 ? "skipped" : "skipped late";
    return one.reason instanceof JudgeError ? one.reason.class : String(one.reason);
  });
  const count = (end: string) => ends.filter((one) => one === end).length;
  return { server, meters, ends, count };
}

describe("a cap, with twenty grades at once", () => {
  test.each([0, 1, 2, 7, 20, 39, 40])(
    "of %d calls is never exceeded; what is left over is skipped or cut short",
    async (calls) => {
      const { server, ends, count } = await twenty({ calls });
      expect(server.asked).toHaveLength(calls);
      expect(count("graded") + count("cap-reached") + count("skipped")).toBe(ends.length);
      expect(count("skipped")).toBe(Math.max(0, 20 - calls));
      expect(count("graded")).toBe(Math.max(0, calls - 20));
    },
  );

  test("counts retries as calls, and ends a grade that has no verdict as errored, not skipped", async () => {
    const { server, ends } = await twenty({ calls: 15 }, () => ({ status: 500, headers: RETRY_NOW }));
    expect(server.asked).toHaveLength(15);
    expect(new Set(ends)).toEqual(new Set(["cap-reached", "skipped"]));
  });

  test("counts requests that were refused and learned from", async () => {
    const { server } = await twenty({ calls: 5 }, () => ({
      status: 400,
      error: { message: "m does not support tools" },
      headers: NO_RETRY,
    }));
    expect(server.asked).toHaveLength(5);
  });

  test.each([0.1, 1, 2, 100])("of %d dollars is never exceeded", async (cost) => {
    const { server, meters, ends, count } = await twenty({ cost });
    expect(server.asked.length * COST).toBeLessThanOrEqual(cost);
    expect(meters.reduce((sum, meter) => sum + (meter.cost ?? NaN), 0)).toBeCloseTo(
      server.asked.length * COST,
    );
    expect(count("graded") + count("cap-reached") + count("skipped")).toBe(ends.length);
    if (cost === 100) expect(count("graded")).toBe(20);
    for (const { request: asked } of server.asked) expect(asked.max_completion_tokens).toBeGreaterThan(0);
  });

  test("frees what was reserved and not used, so that one after the other all fit", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")], usage } : { usage }));
    const judge = judgeAt(server, { budget: budget({ cost: 40 * 2_500 + 10_000 }), price: tokenPrice });
    for (let grade = 0; grade < 20; grade += 1) expect(await ask(judge)).not.toHaveProperty("incomplete");
    expect(server.asked).toHaveLength(40);
  });

  test.each<[string, Reply]>([
    ["a reply without usage", { calls: [pass("a")], usage: null }],
    ["a reply that is too long", { raw: " ".repeat(4_100_000), headers: NO_RETRY }],
    ["a reply that cannot be read", { raw: '{"choices": [{"mess', headers: NO_RETRY }],
  ])("counts the most it may have been for %s", async (_name, reply) => {
    const { server } = await twenty({ cost: 30_000 }, () => reply, tokenPrice);
    // The last may be limited to what is left.
    expect(server.asked.length).toBeLessThanOrEqual(4);
  });

  test.each([-5, 0, 0.5, 1e12])(
    "counts the most it may have been for an input of %d tokens",
    async (input) => {
      const script = () => ({ calls: [pass("a")], usage: { input, output: 10 } });
      const { server } = await twenty({ cost: 30_000 }, script, tokenPrice);
      // 200 requests, were it counted as nothing.
      expect(server.asked.length).toBeLessThan(60);
    },
  );

  test("counts more cached tokens than were sent as what was sent, at their price", async () => {
    const odd = { input: 2_000, output: 500, cached: 9_000 };
    const { server } = await twenty({ cost: 2 }, () => ({ calls: [pass("a")], usage: odd }));
    expect(server.asked.length * COST).toBeLessThanOrEqual(2);
  });

  test.each([
    [null, undefined],
    [{ input: 0, output: 0 }, undefined],
    [{ input: 1_000_000, output: 1_000_000 }, 10],
  ])("of usage %j is shown in dollars where it is known, and never as zero", async (usage, dollars) => {
    const server = await serve(() => ({ calls: [pass("a"), finish], usage }));
    const meter = startMeter();
    await ask(judgeAt(server, { price: prices([{ match: "*", input: 2, output: 8 }]) }), {}, { meter });
    expect(meter.cost).toBe(dollars);
  });

  test("counts what a total has beside input and output: thoughts", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 8_000 };
    const choices = [{ finish_reason: "stop", message: { content: "Hm." } }];
    const { server } = await twenty(
      { cost: 30_000 },
      () => ({ raw: JSON.stringify({ choices, usage }) }),
      tokenPrice,
    );
    expect(server.asked.length).toBeLessThanOrEqual(4);
  });

  test("counts nothing for an error of HTTP", async () => {
    let failures = 0;
    const server = await serve(({ turn }) => {
      failures += 1;
      if (failures < 5) return { status: 503, headers: RETRY_NOW };
      return turn === 1 ? { calls: [pass("a")], usage } : { usage };
    });
    const judge = judgeAt(server, { budget: budget({ cost: 12_000 }), price: tokenPrice });
    expect(await ask(judge)).not.toHaveProperty("incomplete");
  });

  test("names the input to raise", async () => {
    const judge = judgeAt(await serve(() => ({})), { budget: budget({ calls: 0 }) });
    expect(await thrownBy(ask(judge))).toMatchObject({ cap: "max-judge-calls" });
    const mid = judgeAt(await serve(() => ({ calls: [fail("a")] })), { budget: budget({ calls: 1 }) });
    expect((await ask(mid)).incomplete).toMatchObject({
      class: "cap-reached",
      help: expect.stringMatching(/max-judge-calls/),
    });
    const prose = judgeAt(await serve(() => ({ text: "PASS" })), { budget: budget({ calls: 1 }) });
    expect((await errorOf(ask(prose))).class).toBe("cap-reached");
  });

  test("settles once, even if settled again", async () => {
    const { reserve } = budget({ cost: 100 });
    const { settle } = await reserve({ most: 100, least: 100 });
    settle(40);
    settle(0);
    await expect(reserve({ most: 61, least: 61 })).rejects.toThrow(CapReached);
    await reserve({ most: 60, least: 60 });
  });

  test("waits for what others have reserved, and gives up only when it cannot fit whatever they use", async () => {
    const { reserve } = budget({ cost: 1 });
    const { settle: first } = await reserve({ most: 0.9, least: 0.9 });
    const order: string[] = [];
    const second = reserve({ most: 0.9, least: 0.9 }).then(({ settle }) => {
      order.push("second");
      return settle;
    });
    await Promise.resolve();
    order.push("first");
    first(0.05);
    (await second)(0.05);
    expect(order).toEqual(["first", "second"]);
    await expect(reserve({ most: 0.95, least: 0.95 })).rejects.toThrow(
      /\$0\.10 spent, and the next request may cost \$0\.95/,
    );
  });
});

test("a cap below the usual reservation pays for the grades that fit it, one after the other", async () => {
  const server = await serve(() => ({ calls: [pass("a"), finish], usage: { input: 1_000, output: 100 } }));
  const judge = judgeAt(server, {
    budget: budget({ cost: 0.05 }),
    price: prices([{ match: "*", input: 1, output: 10 }]),
  });
  const grades = await Promise.all(Array.from({ length: 16 }, () => ask(judge)));
  expect(grades.map(outcomes)).toEqual(Array(16).fill("pass"));
  const limits = server.asked.map(({ request }) => request.max_completion_tokens ?? 0);
  expect(Math.max(...limits)).toBeLessThan(5_000);
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(1_000);
});

/** What each sample gives: p passes (1 of 1), f fails (1 of 2), n reports nothing, e is errored. */
const voting = async (samples: string) => {
  const asked: string[] = [];
  let number = 0;
  const server = await serve(({ turn }) => {
    if (turn === 1) asked.push(samples[number++] ?? "?");
    const kind = asked.at(-1);
    if (kind === "e") return { text: null, refusal: "I cannot." };
    if (kind === "n") return { text: "PASS" };
    if (turn > 1) return {};
    return { calls: kind === "p" ? [pass("a")] : [pass("a"), fail("b")] };
  });
  return { server, asked, judge: judgeAt(server) };
};

describe("votes", () => {
  test.each<[number, string, string, number | undefined, string?]>([
    [3, "pp", "2 0 0", 1],
    [3, "pfp", "2 1 0", 1],
    [3, "pff", "1 2 0", 0.5],
    [3, "ff", "0 2 0", 0.5],
    [3, "nn", "0 2 0", 0],
    [3, "fn", "0 2 0", 0.5],
    [3, "pep", "2 0 1", 1],
    [3, "eff", "0 2 1", 0.5],
    [3, "pfe", "", undefined, "refusal"],
    [3, "pee", "", undefined, "refusal"],
    [3, "ee", "", undefined, "refusal"],
    [5, "ppffp", "3 2 0", 1],
    [5, "ppp", "3 0 0", 1],
    [5, "ppffe", "", undefined, "refusal"],
    [5, "ppeep", "3 0 2", 1],
    [5, "ffpef", "1 3 1", 0.5],
    [2, "pf", "", undefined, "no-majority"],
    [2, "pp", "2 0 0", 1],
    [1, "f", "", 0.5],
  ])("of %d samples %s are %j with the score %p", async (votes, samples, counts, score, errorClass = "") => {
    const { judge, asked } = await voting(samples);
    const voter = votingJudge(judge, { votes, confirmOnFail: 0 });
    if (errorClass !== "") {
      const error = await errorOf(ask(voter));
      expect(error.class).toBe(errorClass);
      expect(error.message).toMatch(/\d passed, \d failed, \d errored/);
    } else {
      const answer = await ask(voter);
      expect(scoreChecks(answer.checks)).toEqual({ score, passed: score === 1 });
      const { passed, failed, errored } = answer.votes ?? { passed: "", failed: "", errored: "" };
      expect([passed, failed, errored].join(" ").trim()).toBe(counts);
    }
    expect(asked.join("")).toBe(samples);
  });

  test("keep all calls of the winning side, and none of the other", async () => {
    const { judge } = await voting("pff");
    const voter = votingJudge(judge, { votes: 3, confirmOnFail: 0 });
    expect(outcomes(await ask(voter))).toBe("pass fail pass fail");
  });

  test.each([
    ["p", 2, "p", "pass", undefined],
    ["fpp", 2, "fpp", "pass pass", { passed: 2, failed: 1, errored: 0 }],
    ["ffp", 2, "ff", "pass fail pass fail", { passed: 0, failed: 2, errored: 0 }],
    ["fpe", 2, "fpe", "pass fail", { passed: 1, failed: 1, errored: 1 }],
    ["npp", 2, "npp", "pass pass", { passed: 2, failed: 1, errored: 0 }],
    ["fpffp", 4, "fpff", "pass fail pass fail pass fail", { passed: 1, failed: 3, errored: 0 }],
  ])(
    "to confirm %s with %d more ask only when red",
    async (samples, confirmOnFail, expected, checks, votes) => {
      const { judge, asked } = await voting(samples);
      const answer = await ask(votingJudge(judge, { votes: 1, confirmOnFail }));
      expect(asked.join("")).toBe(expected);
      expect(outcomes(answer)).toBe(checks);
      expect(answer.votes).toEqual(votes);
    },
  );

  test.each<[string, string, string]>([
    ["fpp", "pass pass", "passed in 2 of 3 votes (judge-1: failed; gpt-5: passed twice)"],
    ["ff", "pass fail pass fail", "failed in 2 of 2 votes"],
    ["fpf", "pass fail pass fail", "failed in 2 of 3 votes (judge-1: failed; gpt-5: passed, failed)"],
    ["fe", "pass fail", "failed in 1 of 2 votes, 1 errored"],
  ])("to confirm %s by another model are counted by judge", async (samples, checks, text) => {
    const { server, judge } = await voting(samples);
    const answer = await ask(votingJudge(judge, { votes: 1, confirmOnFail: 2, confirmModel: "gpt-5" }));
    expect(outcomes(answer)).toBe(checks);
    expect(answer.votes && votesText(answer.votes)).toBe(text);
    const models = server.asked.filter(({ turn }) => turn === 1).map(({ request: { model } }) => model);
    expect(models).toEqual(["judge-1", ...models.slice(1).fill("gpt-5")]);
    const ofSecond = answer.checks.filter(({ judge: by }) => by === "gpt-5").length;
    expect(ofSecond).toBe({ fpp: 2, ff: 2, fpf: 2, fe: 0 }[samples]);
  });

  test("have each change once, and the doubt of any of the winning side", async () => {
    const passed = { checks: [{ outcome: "pass" }], text: "", changes: ["a"] } as const;
    const failed = { ...passed, checks: [{ outcome: "fail" }], changes: ["c"], seemsCut: true } as const;
    const answers = [passed, failed, { ...passed, changes: ["b", "a"], withoutTools: true } as const];
    const judge: Judge = { grade: ({ vote = 1 }) => Promise.resolve(answers[vote - 1]!) };
    const answer = await ask(votingJudge(judge, { votes: 3, confirmOnFail: 0 }));
    expect(answer).toMatchObject({ changes: ["a", "b"], withoutTools: true });
    expect(answer.seemsCut).toBeUndefined();
  });

  test("to confirm are asked for a pass, too, where the judge saw a shortened run", async () => {
    const { judge, asked } = await voting("pff");
    const answer = await ask(votingJudge(judge, { votes: 1, confirmOnFail: 2 }), { isShortened: true });
    expect(asked.join("")).toBe("pff");
    expect(outcomes(answer)).toContain("fail");
  });

  test("to confirm are not asked for an errored verdict, which stays one", async () => {
    const { judge, asked } = await voting("epp");
    expect((await errorOf(ask(votingJudge(judge, { votes: 1, confirmOnFail: 2 })))).class).toBe("refusal");
    expect(asked).toEqual(["e"]);
  });

  test("are recorded one by one; the first is the record of a single verdict", async () => {
    const folder = await mkdtemp(join(tmpdir(), "votes-"));
    try {
      const { judge, asked } = await voting("pfp");
      const recorded = (inner: Judge | undefined) => recordedJudge(inner, { folder, warn: String });
      const first = await ask(votingJudge(recorded(judge), { votes: 3, confirmOnFail: 0 }));
      expect(first.recorded).toBe(false);
      expect(await readdir(folder)).toHaveLength(3);
      const again = await ask(votingJudge(recorded(undefined), { votes: 3, confirmOnFail: 0 }));
      expect(again).toEqual({ ...first, recorded: true });
      expect(await ask(recorded(undefined))).toMatchObject({ checks: [{ outcome: "pass" }], recorded: true });
      expect(asked).toHaveLength(3);
      const more = await errorOf(ask(votingJudge(recorded(undefined), { votes: 5, confirmOnFail: 0 })));
      expect(more.class).toBe("not-recorded");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("that are recorded decide by their majority where a cap leaves the others out", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waza-grade-votes-"));
    try {
      const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
      const recorded = (calls: number) =>
        recordedJudge(judgeAt(server, { budget: budget({ calls }) }), { folder, warn: () => undefined });
      const voting = (votes: number, calls: number) =>
        votingJudge(recorded(calls), { votes, confirmOnFail: 0 });
      await ask(voting(5, 100));
      const before = server.asked.length;
      expect(await ask(voting(5, 0))).toMatchObject({ votes: { passed: 3, failed: 0, errored: 0 } });
      expect((await errorOf(ask(voting(7, 0)))).class).toBe("cap-reached");
      expect(server.asked).toHaveLength(before);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("under a cap are errored when samples are missing, and skipped when there was none", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const capped = (calls: number) =>
      votingJudge(judgeAt(server, { budget: budget({ calls }) }), { votes: 3, confirmOnFail: 0 });
    expect(await thrownBy(ask(capped(0)))).toBeInstanceOf(CapReached);
    expect((await errorOf(ask(capped(2)))).class).toBe("cap-reached");
    expect((await errorOf(ask(capped(3)))).class).toBe("cap-reached");
    expect(outcomes(await ask(capped(4)))).toBe("pass pass");
  });
});
