/** What is wrong with the judges before any is asked: rules without a model, models without a rule. */
import { expect, test } from "@jest/globals";
import type { GradingJob } from "../../src/domain/grade.ts";
import type { Inputs } from "../../src/inputs/inputs.ts";
import { plannedModels } from "../../src/plan/plan.ts";
import { missedRules, ownModels } from "../../src/steps/plan.ts";
import { graderOf, suiteOf } from "../support/factories.ts";

const RULE = { match: "gpt-6*", endpoint: { baseUrl: "https://a.example/v1" } };
const INPUTS = { standard: { baseUrl: "https://a.example/v1" }, judgeModel: "mine" };
const inputs = (providers: readonly { readonly match: string }[]) =>
  ({ ...INPUTS, providers }) as unknown as Inputs;
const job = (judgeModel: string) => ({ judgeModel, grader: graderOf({ model: judgeModel }) }) as GradingJob;

test.each([
  ["gpt4*", /only `\*` and `\?` are special/],
  ["gpt-.*", /a glob: only/],
  ["gpt-6", /Did you mean `gpt-6\*`\?/],
  ["GPT-6*", undefined],
])("a rule for %s, which matches no model of the run, is a warning", (match, help) => {
  const problems = missedRules({ jobs: [job("gpt-6-luna")], lift: [], problems: [] }, inputs([{ match }]));
  expect(problems).toMatchObject(
    help === undefined
      ? []
      : [
          {
            level: "warning",
            message: expect.stringMatching(/there is `gpt-6-luna`\.$/),
            help: expect.stringMatching(help),
          },
        ],
  );
});

test("a dry run shows the rule for a grader's own model, unless the endpoint has it or a rule is there", async () => {
  const jobs = ["mine", "claude-1", "gpt-6", "priced"].map(job);
  const price = ({ model }: { readonly model: string }) =>
    Promise.resolve(model === "priced" ? 1 : undefined);
  expect(await ownModels({ jobs, lift: [], problems: [] }, inputs([RULE]), price)).toMatchObject([
    {
      level: "notice",
      message: expect.stringContaining("its own judge model, `claude-1`"),
      help: expect.stringContaining('`- {match: "claude-1", model: mine}`'),
    },
  ]);
});

test("the models of a plan are known without results", () => {
  const suite = suiteOf({ graders: [graderOf(), graderOf({ name: "b", model: "own" })] });
  expect([...plannedModels({ suites: [suite], judgeModel: "mine" })]).toEqual(["mine", "own"]);
});
