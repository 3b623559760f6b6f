/** How text is drawn on a terminal: its width, and the colours, which may be none. */
import { styleText } from "node:util";
import { shorten, wrapped } from "../../text/format.ts";
import { oneLineText, plainText } from "../neutralise.ts";
import type { ShownGrade } from "../shown-grade.ts";

/** Characters of a name and of a reason. */
export const NAME = 300;
const REASON = 4_000;
/** Columns of a line where no terminal says how many it has. */
const COLUMNS = 100;

export interface Drawing {
  readonly columns: number;
  readonly style: (how: Parameters<typeof styleText>[0], text: string) => string;
}

/** As a stream shows it: to the width of a terminal, in colours as `styleText` decides by NO_COLOR, FORCE_COLOR and the stream. */
export function drawingOn(out: NodeJS.WriteStream): Drawing {
  return {
    columns: out.columns || COLUMNS,
    style: (how, text) => styleText(how, text, { stream: out }),
  };
}

/** Grader and run of a grade, on one line. */
export function nameOf({ name }: ShownGrade): string {
  return oneLineText(name, NAME);
}

/** A text of a judge or an agent as indented lines of no more than the terminal's width. */
export function block(text: string, indent: number, { columns }: Drawing): string {
  return wrapped(plainText(shorten(text.trim(), REASON)), { indent, columns });
}
