/** The file of `labels` as it lies on disk. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { readLabels } from "../../src/labels/labels.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const TABLE = "task_id,grader,passed\nt1,quality,true\nt2,quality,\n";

test.each<[string, string | Buffer]>([
  ["as it is", TABLE],
  ["with a byte order mark", `\uFEFF${TABLE}`],
  ["with a spreadsheet's ends of lines", TABLE.replaceAll("\n", "\r\n")],
  [
    "as JSON lines",
    '\uFEFF{"task_id": "t1", "grader": "quality", "passed": true}\r\n{"task_id": "t2", "grader": "quality"}\r\n',
  ],
])("a file is read %s; rows without a verdict are counted", async (_case, text) => {
  const folder = temporaryFolder("labels");
  const file = join(folder, "labels.csv");
  writeFileSync(file, text);
  const { labels, problems, paths } = await readLabels(file, folder);
  expect(labels).toMatchObject([{ task: "t1", grader: "quality", passed: true }]);
  expect(problems).toMatchObject([
    { level: "notice", message: "1 row has no label yet: `passed` is empty." },
  ]);
  expect(paths).toEqual([file]);
});

test.each<[string, (file: string) => void]>([
  ["is not there", () => undefined],
  [
    "is a folder",
    (file) => {
      mkdirSync(file);
    },
  ],
  [
    "is not UTF-8",
    (file) => {
      writeFileSync(file, Buffer.from([0xff, 0xfe, 0x74, 0x00]));
    },
  ],
  [
    "is a link that leads out of the workspace",
    (file) => {
      const outside = join(temporaryFolder("outside"), "labels.csv");
      writeFileSync(outside, TABLE);
      symlinkSync(outside, file);
    },
  ],
])("a file that %s is an error, and no label", async (_case, make) => {
  const folder = temporaryFolder("labels");
  const file = join(folder, "labels.csv");
  make(file);
  const { labels, problems } = await readLabels(file, folder);
  expect(labels).toEqual([]);
  expect(problems).toMatchObject([{ level: "error", at: { path: "labels.csv" } }]);
});
