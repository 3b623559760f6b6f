/** Judges that are shut down, or will be: by what providers answer, and by their own lists of models. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, passing } from "../support/act.ts";
import { project, promptGrader } from "../support/projects.ts";
import { refusingProvider } from "../support/refusing-provider.ts";
import type { Provider } from "../support/refusing-provider.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await closeServers();
  await Promise.all(open.splice(0).map((close) => close()));
});
afterAll(removeTemporaryFolders);

/** An endpoint that answers so, closed after the test. */
async function provider(how: Provider) {
  const started = await refusingProvider(how);
  open.push(started.close);
  return started;
}

const LIST = {
  data: [
    { id: "old-small", created: 1 },
    { id: "judge-9-mini", created: 9 },
    { id: "judge-8", created: 8 },
  ],
};

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("a model that is gone is told as such, by the endpoint's own list, in the words of its provider", () => {
  test.each<[string, number, unknown]>([
    [
      "OpenAI",
      404,
      error("The model `judge-1` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    ],
    [
      "OpenAI, shut down",
      404,
      error(
        "The model `judge-1` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations",
        { code: "model_not_found" },
      ),
    ],
    [
      "Gemini",
      404,
      error("models/judge-1 is no longer available. Please update your code to use a newer model.", {
        status: "NOT_FOUND",
      }),
    ],
    [
      "Gemini, unknown",
      404,
      error("models/judge-1 is not found for API version v1beta, or is not supported for generateContent."),
    ],
    ["OpenRouter, no endpoints", 404, error("No endpoints found for judge-1.", { code: 404 })],
    [
      "OpenRouter, free period",
      404,
      error("The free period has ended for this model. To continue using it, use the paid slug."),
    ],
    [
      "OpenRouter, tools",
      404,
      error("No endpoints found that support tool use. To learn more, visit the docs."),
    ],
    ["OpenRouter, no model", 400, error("judge-1 is not a valid model ID", { code: 400 })],
    [
      "Bedrock, end of life",
      404,
      error("This model version has reached the end of its life. Please refer to the AWS documentation."),
    ],
    [
      "Bedrock, legacy",
      404,
      error(
        "Access denied. This Model is marked by provider as Legacy and you have not been actively using the model.",
      ),
    ],
    [
      "Azure, gone",
      410,
      error("The model 'judge-1' is deprecated and no longer available.", { code: "ModelDeprecated" }),
    ],
    [
      "Azure, deployment",
      404,
      error("The API deployment for this resource does not exist.", { code: "DeploymentNotFound" }),
    ],
    [
      "Groq",
      400,
      error("The model `judge-1` has been decommissioned and is no longer supported.", {
        code: "model_decommissioned",
      }),
    ],
    [
      "Groq, unknown",
      404,
      error("The model `judge-1` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    ],
    [
      "DeepSeek",
      400,
      error(
        "The supported API model names are deepseek-v4-pro or deepseek-v4-flash, but you passed judge-1.",
      ),
    ],
    ["DeepSeek, short", 400, error("Model Not Exist", { type: "invalid_request_error" })],
    [
      "Together",
      404,
      error("Unable to access model judge-1. Please visit the models page.", { code: "model_not_available" }),
    ],
    ["Together, unknown", 400, error("Unable to access non-serverless model judge-1.")],
    ["new-api", 503, error("no available channels for model judge-1 under group default")],
    ["Anthropic", 404, { type: "error", error: { type: "not_found_error", message: "model: judge-1" } }],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: judge-1", type: "invalid_model", code: "1500" },
    ],
    ["xAI", 404, error("The model judge-1 does not exist or your team does not have access to it.")],
    ["Ollama", 404, error('model "judge-1" not found, try pulling it first')],
    ["vLLM", 404, error("The model `judge-1` does not exist.")],
    [
      "LiteLLM",
      400,
      error(
        "/chat/completions: Invalid model name passed in model=judge-1. Call `/v1/models` to view available models for your key.",
      ),
    ],
    ["Fireworks", 404, error("Model not found, inaccessible, and/or not deployed")],
    ["a gateway with an address for each model", 404, "<html><body>Not Found</body></html>"],
    ["a notice alone", 400, error("Please switch to judge-9-mini.")],
  ])("%s", async (_provider, status, body) => {
    const { url, asked } = await provider({ refusal: [status, body], models: LIST });
    const tasks = Array.from({ length: 3 }, (_, at) => ({ id: `t${String(at)}` }));
    const outcome = await act(project({ tasks }), passing, {
      inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1", "max-concurrency": "1", timeout: "30s" },
    });
    expect(outcome.log).toContain("unknown-model");
    expect(outcome.log).toContain('- {match: "judge-1", model: judge-9-mini}');
    expect(outcome.outputs).toMatchObject({ conclusion: "failure", "grades-errored": "3" });
    // The others of this model are not sent, and the list is asked once.
    const ofFirst = asked.filter((one) => one.startsWith("POST")).length;
    expect(ofFirst).toBeLessThan(13);
    expect(asked.filter((one) => one === "GET /v1/models")).toHaveLength(1);
  });

  test("but not where the endpoint lists it, or has no list", async () => {
    const refusal = [400, error("The request is not valid.")] as const;
    for (const models of [{ data: [{ id: "judge-1-2026-01-01" }] }, { data: [] }, "<html>", undefined]) {
      const { url } = await provider({ refusal, models });
      const outcome = await act(project(), passing, {
        inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1" },
      });
      expect(outcome.log).toContain("bad-request");
      expect(outcome.log).not.toContain("unknown-model");
    }
  });

  test("our own default that is gone is named so, with what to write", async () => {
    const { url } = await provider({
      refusal: [404, error("gone", { code: "model_not_found" })],
      models: LIST,
    });
    const outcome = await act(project(), passing, { inputs: { "base-url": `${url}/v1` } });
    expect(outcome.log).toContain(
      "This action's default judge `gpt-6-luna` is not among the models of the endpoint.",
    );
    expect(outcome.log).toContain("Set `judge-model: judge-9-mini`.");
  });
});

describe("a judge that is shut down within sixty days is warned about", () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const listing = (more: object) => ({
    data: [
      { id: "judge-1", created: 1, ...more },
      { id: "judge-2", created: 2 },
    ],
  });
  const soon = day(20);

  test.each([
    ["OpenAI and Azure", { shutdown_date: soon }],
    ["OpenRouter", { expiration_date: soon }],
    ["Mistral", { deprecation: `${soon}T12:00:00Z` }],
  ])("%s", async (_provider, more) => {
    const { url } = await provider({ models: listing(more) });
    const outcome = await act(project(), passing, {
      inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1" },
    });
    expect(outcome.code).toBe(0);
    const words = `The judge \`judge-1\` is shut down on ${soon}. Set \`judge-model: judge-2\`.`;
    expect(outcome.log).toContain(words);
    expect(outcome.summary).toContain(`is shut down on ${soon}`);
    const dry = await act(project(), passing, {
      inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1", "dry-run": "true" },
    });
    expect(dry.log).toContain(words);
  });

  test("at the line that names it", async () => {
    const { url } = await provider({ models: listing({ shutdown_date: soon }) });
    const grader = promptGrader("right", "Is it?", { config: { model: "judge-1" } });
    const outcome = await act(project({ graders: [grader] }), passing, {
      inputs: { "base-url": `${url}/v1` },
    });
    expect(outcome.log).toMatch(
      /warning: .*eval\.yaml.*`judge-1` is shut down on .*Set `model: judge-2` in the grader/,
    );
  });

  test.each([
    ["later", { shutdown_date: day(90) }],
    ["without a date", { shutdown_date: null }],
    ["with a date of something else", { created_at: soon }],
  ])("not one that ends %s", async (_case, more) => {
    const { url } = await provider({ models: listing(more) });
    const outcome = await act(project(), passing, {
      inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1" },
    });
    expect(outcome.log).not.toContain("is shut down");
    expect(lastLine(outcome)).toMatch(/^Passed/);
  });

  test.each(["<html>Sign in</html>", { data: [{ id: 7 }, null] }, undefined])(
    "and a list that cannot be read, %j, is silent",
    async (models) => {
      const { url } = await provider({ models });
      const outcome = await act(project(), passing, {
        inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1" },
      });
      expect(outcome.code).toBe(0);
      expect(outcome.log).not.toMatch(/models|shut down/);
    },
  );
});
