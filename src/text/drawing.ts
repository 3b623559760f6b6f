/** Width and colours of a terminal. */
import { styleText } from "node:util";

/** Width of a terminal that does not report one. */
const COLUMNS = 100;

export interface Drawing {
  readonly columns: number;
  readonly style: (format: Parameters<typeof styleText>[0], text: string) => string;
}

/** The properties of a stream; colours follow NO_COLOR, FORCE_COLOR and the stream, by `styleText`. */
export function drawingOn(out: NodeJS.WriteStream): Drawing {
  return {
    columns: out.columns || COLUMNS,
    style: (format, text) => styleText(format, text, { stream: out }),
  };
}
