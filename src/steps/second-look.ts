/** The second look: what ran again, what may, and the list of what is asked. Names are redacted first, as those of rows are. */
import { FURTHER_RUNS } from "../decide/second-look.ts";
import type { AskedAgain } from "../domain/grade.ts";
import { NO_SKILL } from "../domain/suite.ts";
import { taskKeyOfAnyModel } from "../domain/row.ts";
import { type RowOfTask, listOfAgain, rowsOfTasks } from "../plan/runs.ts";
import { suiteKey } from "../results/rows.ts";
import { type Redactor, redactAll } from "../safety/secrets.ts";
import type { Read } from "./read.ts";

/** The second look, by the plan of the runs; without one, as of results of other origin, there is none. */
export function secondLookOf({ runsPlan, suites, triggerEvals }: Read, redact: Redactor) {
  const rows = rowsOfTasks(runsPlan, [...suites, ...triggerEvals]).map((one) => ({
    ...one,
    key: taskKeyOfAnyModel(redactAll(namesOfRow(one), redact)),
  }));
  const byKey = [...Map.groupBy(rows, ({ key }) => key)];
  const ran = new Map(
    byKey.flatMap(([key, own]) => (own.some(({ row }) => row.again) ? [[key, own.length] as const] : [])),
  );
  return {
    /** The tasks and queries that ran again, by key, with the number of their planned runs. */
    ran,
    /** Keys of those that may: all that `run` planned, once. */
    mayRun: new Set(ran.size > 0 ? [] : byKey.map(([key]) => key)),
    /** The list of these; undefined without any. */
    listOf: (asked: readonly AskedAgain[]) => {
      const models = Map.groupBy(asked, taskKeyOfAnyModel);
      const isAsked = ({ key, row }: (typeof rows)[number]) =>
        models.get(key)?.some(({ model = row.model }) => model === row.model);
      return runsPlan && listOfAgain(rows.filter(isAsked), runsPlan, FURTHER_RUNS);
    },
  };
}

/** What rows call a task; a query is one of its skill. */
function namesOfRow({ row, suite, task }: RowOfTask): AskedAgain {
  const { trigger, skill = NO_SKILL } = row;
  return trigger === undefined ? { suite: suiteKey(suite), task: task.id } : { suite: skill, task: trigger };
}
