/** What holds where no input says otherwise: the default judge, and the label that accepts. */

/** The judge if no grader, input, `.waza.yaml` or eval file names one: a pinned model, never an alias. */
export const DEFAULT_JUDGE = { model: "gpt-6-luna", effort: "low" };

/** The effort of a judge where none is named: that of the default judge is the same, no matter what names the model. */
export function effortOf(model: string): string | undefined {
  return model === DEFAULT_JUDGE.model ? DEFAULT_JUDGE.effort : undefined;
}

/** Accepts what a comparison would make red, for a pull request. */
export const ACCEPT_LABEL = "evals-accept";
