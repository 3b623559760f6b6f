/** How text is drawn on a terminal. */
import { styleText } from "node:util";

/** Columns of a line where no terminal says how many it has. */
const COLUMNS = 100;

/** The width of a terminal, and its colours, which may be none. */
export interface Drawing {
  readonly columns: number;
  readonly style: (how: Parameters<typeof styleText>[0], text: string) => string;
}

/** As a stream shows it, in colours as `styleText` decides by NO_COLOR, FORCE_COLOR and the stream. */
export function drawingOn(out: NodeJS.WriteStream): Drawing {
  return { columns: out.columns || COLUMNS, style: (how, text) => styleText(how, text, { stream: out }) };
}
