/** The interface of publishers: each writes the report to one destination. */
import type { Report } from "./report.ts";
import { messageOf } from "../text/errors.ts";

/** Links and paths of what was published, for later publishers. */
export interface Published {
  readonly checkRunUrl?: string | undefined;
  readonly commentUrl?: string | undefined;
  readonly resultsFiles?: readonly string[] | undefined;
  readonly reportFiles?: readonly string[] | undefined;
}

export interface Publisher {
  readonly name: string;
  /** Publishes; may throw, which fails this publisher alone. `before` is what earlier publishers published. */
  readonly publish: (report: Report, before: Published) => Promise<Published>;
}

/** Publishes to every publisher in order; a failure is passed to `warn`, and the others still publish. */
export async function publishAll(
  publishers: readonly Publisher[],
  report: Report,
  warn: (message: string) => void,
): Promise<Published> {
  let published: Published = {};
  for (const publisher of publishers) {
    try {
      published = { ...published, ...(await publisher.publish(report, published)) };
    } catch (error) {
      warn(`The ${publisher.name} could not be published: ${messageOf(error)}`);
    }
  }
  return published;
}

/** Runs several groups of publishers in parallel; publishers within a group run in sequence. */
export function atOnce(rows: readonly (readonly Publisher[])[], warn: (message: string) => void): Publisher {
  return {
    name: "report",
    publish: async (report) => {
      const published = await Promise.all(rows.map((row) => publishAll(row, report, warn)));
      return Object.assign({}, ...published) as Published;
    },
  };
}
