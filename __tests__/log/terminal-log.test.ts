import { PassThrough } from "node:stream";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { terminalLog } from "../../src/log/log.ts";

/** A stream that remembers, and is a terminal of so many columns where they are given. */
function stream(columns?: number) {
  const through = new PassThrough({ encoding: "utf8" });
  const written = () => (through.read() as string | null) ?? "";
  return { ...{ written }, stream: Object.assign(through, columns ? { isTTY: true, columns } : {}) as never };
}

const SUCCESS = {
  conclusion: "success",
  check: "success",
  rule: "passed",
  passed: true,
  sentence: "Passed",
  again: [],
  sentences: ["passed"],
} as const;

const status = process.exitCode;
afterEach(() => {
  process.exitCode = status;
});

describe("how far it is", () => {
  test("is one line of the terminal, which the next line takes away", () => {
    const [out, progress] = [stream(), stream(20)];
    const log = terminalLog({ out: out.stream, progress: progress.stream });
    log.status?.("1 of 2 grades: a long story");
    expect(progress.written()).toBe("1 of 2 grades: a l…");
    log.status?.("2 of 2");
    expect(progress.written()).toBe("\u001B[2K\u001B[1G2 of 2");
    log.line("done");
    expect([out.written(), progress.written()]).toEqual(["done\n", "\u001B[2K\u001B[1G"]);
  });

  test("is not written to what keeps all that is written, as a dumb terminal does", () => {
    expect(terminalLog({ out: stream().stream, progress: stream().stream }).status).toBeUndefined();
    const dumb = jest.replaceProperty(process, "env", { TERM: "dumb" });
    expect(terminalLog({ out: stream().stream, progress: stream(20).stream }).status).toBeUndefined();
    dumb.restore();
  });
});

test("everything said is harmless, and without the secrets", () => {
  const out = stream();
  const log = terminalLog({ out: out.stream, progress: stream().stream });
  log.setSecrets(["hunter2-hunter2", undefined]);
  const text = "hunter2-hunter2 \u001B[31m##[error]\n::error::x";
  log.line(text);
  log.problem({ level: "warning", code: "odd", message: text });
  log.group(text, ["what each grade is, which was not requested"]);
  log.bug(text);
  const lines = out.written().trimEnd().split("\n");
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).toContain("[redacted]");
    expect(line).not.toMatch(/hunter2|\p{Cc}|##\[|^::/u);
  }
  expect(process.exitCode).toBe(1);
});

test("the verdict is its sentence, since the cause is above", () => {
  const out = stream();
  const log = terminalLog({ out: out.stream, progress: stream().stream });
  log.conclude({ ...SUCCESS, conclusion: "failure", sentence: "Failed", cause: "It is late." });
  expect(out.written()).toBe("Failed\n");
});
