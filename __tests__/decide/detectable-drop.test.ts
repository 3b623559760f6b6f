/** The smallest drop that a comparison of some size detects, as `npm run bench -- gates` finds it. */
import { expect, test } from "@jest/globals";
import { detectableBetween, detectableDrop } from "../../src/decide/chance.ts";

test.each([
  // Tasks, runs, graders, files; points.
  [12, 1, 1, 1, 56],
  [12, 3, 1, 1, 31],
  [12, 4, 1, 1, 31],
  [39, 1, 1, 1, 43],
  [40, 1, 1, 1, 29],
  [1_000, 9, 1, 1, 8],
  // Whole runs come in steps: a larger suite that detects less counts for the smaller one, too.
  [2, 1, 1, 1, 80],
  [3, 2.9, 1, 1, 80],
  [5, 3, 1, 1, 49],
  // More graders and files, from 12 runs in all on.
  [12, 1, 2, 1, 45],
  [12, 1, 3, 1, 39],
  [12, 1, 9, 1, 39],
  [12, 1, 2.9, 2.9, 45],
  [12, 1, 1, 3, 46],
  [12, 1, 2, 3, 37],
  [4, 3, 2, 3, 40],
  [20, 3, 0.9, 1, 24],
  [11, 1, 3, 3, 56],
  [3, 3, 3, 3, 61],
  // Nothing to compare.
  [0, 3, 1, 1, undefined],
  [5, 0.9, 1, 1, undefined],
])("%d tasks x %d runs, %d graders, %d files: %p points", (tasks, runs, graders, files, points) => {
  const size = { tasks, runs, graders, files };
  expect(detectableDrop(size)).toEqual({ ...size, points });
});

test("counts runs on the side with fewer, and baseline runs for each run of now", () => {
  const task = (baseline: number, current: number, graders: number) => ({
    key: { task: "t", model: "m" },
    graders,
    most: 100 * graders,
    baseline: Array.from({ length: baseline }, () => 1),
    current: Array.from({ length: current }, () => 1),
  });
  expect(detectableBetween([task(9, 3, 2), task(9, 3, 1)])).toMatchObject({
    tasks: 2,
    runs: 3,
    graders: 1.5,
    files: 3,
  });
  expect(detectableBetween([task(1, 5, 1), task(2, 5, 1)])).toMatchObject({ runs: 1.5, files: 0.3 });
  expect(detectableBetween([])).toMatchObject({ tasks: 0, runs: 0, points: undefined });
});
