/** Files of an eval's folder that a prompt names and that its agent does not get. */
import { dirname, posix, relative, resolve } from "node:path";
import type { Suite, Task } from "../domain/suite.ts";
import { notice, type Problem } from "../domain/problem.ts";
import { slashes } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { listedCode, namesIn, shorten } from "../text/format.ts";

/** Characters of a task's id in a message. */
const LONGEST_ID = 60;

/** One notice for each eval with prompts that name such a file, by a name with a dot in it; a query gets no files. */
export async function namedAndNotGiven(
  planned: readonly { readonly suite: Suite; readonly task?: Task | undefined }[],
): Promise<Problem[]> {
  const tasks = new Map(
    [...Map.groupBy(planned, ({ suite }) => suite)].map(([suite, its]) => [
      suite,
      new Set(its.flatMap(({ task }) => (task && task.shouldTrigger === undefined ? task : []))),
    ]),
  );
  const all = [...tasks].map(async ([suite, its]): Promise<Problem[]> => {
    const named = [...its].map((task) => ({ task, words: wordsOf(task) }));
    if (named.every(({ words }) => words.size === 0)) return [];
    const folder = dirname(resolve(suite.root ?? ".", suite.at.path));
    const files = await findFiles(["**/*.*"], folder);
    const paths = files.map((file) => slashes(relative(folder, file)));
    const lacking = named.flatMap(({ task, words }) => {
      const own = paths.filter((path) => words.has(posix.basename(path)));
      return own.length === 0 ? [] : [`${shorten(task.id, LONGEST_ID)}: ${own.join(", ")}`];
    });
    if (lacking.length === 0) return [];
    const message = `prompts name files of the eval's folder that their agents do not get: ${listedCode(lacking)}.`;
    const help = "Name them in `files` of the eval, if the agent is to work on them.";
    return [notice("file-not-given", message, { help, at: suite.at })];
  });
  return (await Promise.all(all)).flat();
}

/** What may be names of files in a prompt, but for those that the task gives; a folder of its own may give any. */
function wordsOf({ prompt = "", files, contextDir }: Task): ReadonlySet<string> {
  const given = new Set(files.map(({ name }) => posix.basename(slashes(name))));
  return new Set(contextDir === undefined ? [...namesIn(prompt)].filter((name) => !given.has(name)) : []);
}
