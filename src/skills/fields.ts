/** The fields of evals.json in all the spellings that real files have: the only table of them. */

/** Keys of an eval's list of statements; an eval may have several. */
const STATEMENTS = ["assertions", "expectations", "expected_behavior", "rubric"] as const;

/** First key that is there counts, save for `statements`, of which all do. */
export const FIELDS = {
  /** Of the file: the list of evals, where the file is not the list itself. */
  evals: ["evals", "test_cases", "cases"],
  /** Of the file: the skill. */
  skill: ["skill_name", "skill"],
  id: ["id", "eval_id"],
  name: ["name", "eval_name", "title"],
  prompt: ["prompt", "question", "query", "input", "task"],
  files: ["files"],
  expected: ["expected_output", "ground_truth"],
  statements: STATEMENTS,
  golden: ["golden"],
  /** Of a statement that is a mapping: its text. */
  text: ["text", "description", "check", "pass_if"],
  /** Of such a statement: what it is about, which its text does not say. */
  about: ["dimension"],
} as const;

/** Keys of a statement that say nothing to a judge. */
export const LABELS: ReadonlySet<string> = new Set(["id", "name", "type"]);
