/** The fields of evals.json, in all spellings of real files. */

/** Keys of an eval's statements; an eval may have several of them. */
const STATEMENTS = ["assertions", "expectations", "expected_behavior", "rubric"] as const;

/** The first existing key is used; of `statements`, all are. */
export const FIELDS = {
  /** Of the file: the list of evals, unless the file is the list itself. */
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
  /** Of such a statement: its subject, which its text leaves out. */
  about: ["dimension"],
} as const;

/** Keys of a statement that a judge does not need. */
export const LABELS: ReadonlySet<string> = new Set(["id", "name", "type"]);

/** All known keys of a statement that is a mapping. */
export const STATEMENT_KEYS: ReadonlySet<string> = new Set([...LABELS, ...FIELDS.text, ...FIELDS.about]);
