/** 2027-01-15, by the bundle: gpt-4o-mini was shut down the day before, and a later day on which our default is gone. */
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { act, closeServers, lastLine, passing } from "../support/act.ts";
import { project, promptGrader } from "../support/projects.ts";
import { refusingProvider } from "../support/refusing-provider.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await closeServers();
  await Promise.all(open.splice(0).map((close) => close()));
});
afterAll(removeTemporaryFolders);

/** OpenAI's refusal of a model that it does not have. */
const gone = (model: string) => ({
  error: {
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    type: "invalid_request_error",
    param: null,
    code: "model_not_found",
  },
});

/** What the workflow that init writes sets. */
const INPUTS = {
  "fail-on": "regression",
  baseline: `${temporaryFolder("baseline")}/*/*.json`,
  "confirm-on-fail": "2",
  comment: "failures",
};

async function openai(model: string, ids: readonly string[]) {
  const models = { data: ids.map((id, at) => ({ id, object: "model", created: at, shutdown_date: null })) };
  const server = await refusingProvider({ refusal: [404, gone(model)], models });
  open.push(server.close);
  return server.url;
}

test("an eval that pins the old model is red with the line that mends it, and no grade is failed", async () => {
  const url = await openai("gpt-4o-mini", ["gpt-6-luna", "gpt-6.1-terra"]);
  const grader = promptGrader("right", "Is it?", { config: { model: "gpt-4o-mini" } });
  const outcome = await act(project({ graders: [grader] }), passing, {
    inputs: { ...INPUTS, "base-url": `${url}/v1` },
  });
  expect(outcome.code).toBe(1);
  expect(outcome.outputs).toMatchObject({ "grades-failed": "0", "grades-errored": "1" });
  expect(outcome.log).toContain('- {match: "gpt-4o-mini", model: gpt-6.1-terra}');
  expect(lastLine(outcome)).toContain("unknown-model");
  expect(outcome.github.bodies.at(-1)).toContain("gpt-6.1-terra");
});

test("our own default that is gone says so, and what to write", async () => {
  const url = await openai("gpt-6-luna", ["gpt-8-luna", "gpt-7-luna"]);
  const outcome = await act(project(), passing, { inputs: { ...INPUTS, "base-url": `${url}/v1` } });
  expect(outcome.code).toBe(1);
  expect(outcome.outputs).toMatchObject({ "grades-failed": "0", "grades-errored": "1" });
  expect(outcome.log).toContain("This action's default judge `gpt-6-luna` is not among the models of the endpoint.");
  expect(outcome.log).toContain("Set `judge-model: gpt-7-luna`.");
});
