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
