/** The limits of this room, each with its reason or its source, by the file that uses it. */

// agreement.ts
/** Minimum labels of one verdict for a rate. */
export const FEWEST_LABELS = 5;
/** Maximum number of problems: more mean that the file labels other grades. */
export const MOST_LABEL_PROBLEMS = 50;

// labels.ts
/** Maximum bytes of a labels file: thousands of labels with their answers. */
export const MOST_LABELS_BYTES = 50e6;
/** Maximum length of each text: a spreadsheet's cell takes 32,767. */
export const LONGEST_LABEL_TEXT = 30_000;

// propose.ts
/** Criteria of a prompt: more are not rewritten well at once. */
export const MOST_CRITERIA = 20;
/** Cases of one criterion. */
export const MOST_CASES = 10;
/** Characters of a criterion. */
export const LONGEST_CRITERION = 4_000;
/** Characters of a reason, and of a person's note. */
export const LONGEST_CASE_TEXT = 500;
