/** A sink: a place the report goes. */
import type { Report } from "./report.ts";
import { messageOf } from "../text/errors.ts";

/** What sinks tell each other: where something was published. */
export interface Published {
  readonly checkRunUrl?: string | undefined;
  readonly commentUrl?: string | undefined;
  readonly resultsFiles?: readonly string[] | undefined;
  readonly reportFiles?: readonly string[] | undefined;
}

export interface Sink {
  readonly name: string;
  /** Publishes; may throw, which fails this sink alone. `before` is what earlier sinks published. */
  readonly publish: (report: Report, before: Published) => Promise<Published>;
}

/** Publishes to every sink in order; one that fails is told to `warn` and the others still publish. */
export async function publishAll(
  sinks: readonly Sink[],
  report: Report,
  warn: (message: string) => void,
): Promise<Published> {
  let published: Published = {};
  for (const sink of sinks) {
    try {
      published = { ...published, ...(await sink.publish(report, published)) };
    } catch (error) {
      warn(`The ${sink.name} could not be published: ${messageOf(error)}`);
    }
  }
  return published;
}

/** A sink of rows that publish at the same time, each in its own order and knowing of its own only. */
export function atOnce(rows: readonly (readonly Sink[])[], warn: (message: string) => void): Sink {
  return {
    name: "report",
    publish: async (report) => {
      const published = await Promise.all(rows.map((row) => publishAll(row, report, warn)));
      return Object.assign({}, ...published) as Published;
    },
  };
}
