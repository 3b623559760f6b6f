import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { TaskFile } from "../../src/domain/suite.ts";
import { FILE_TOOLS, fileFinder, fileReader, listedFiles } from "../../src/judge/files.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { MOST_READS } from "../../src/judge/limits.ts";

afterAll(removeTemporaryFolders);

type Content = string | Buffer;

/** A folder with these files in it. */
function folder(files: Readonly<Record<string, Content>> = {}): string {
  const root = temporaryFolder("agent");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

interface Setup {
  readonly workspace?: string;
  readonly files?: readonly TaskFile[];
  readonly contextDir?: string;
  readonly characters?: number;
  readonly redact?: (text: string) => string;
}

async function reading({ workspace, characters = 100_000, redact = (text) => text, ...given }: Setup) {
  const find = fileFinder();
  const task = { id: "t", name: "t", ...given };
  const found = await find({ task, ...(workspace === undefined ? {} : { workspace }) });
  const reader = fileReader(found, { characters, redact });
  const signal = new AbortController().signal;
  const call = async (name: string, args: unknown = {}) =>
    (await reader.answer({ name, arguments: args }, signal)) ?? "(no tool)";
  return {
    reader,
    call,
    list: (path?: string) => call("list_files", { path }),
    read: (path: string, start_line?: number, end_line?: number) =>
      call("read_file", { path, start_line, end_line }),
    search: (query: string, path?: string) => call("search_files", { query, path }),
    evidence: () => listedFiles(found, 240_000, redact),
  };
}

const NOWHERE = /^There is no file `.*` that you may read\. Paths begin with /;

describe("the tools", () => {
  test("have names and schemas that providers take", () => {
    expect(FILE_TOOLS.map((tool) => tool.function.name)).toEqual(["list_files", "read_file", "search_files"]);
    for (const tool of FILE_TOOLS) expect(tool.function.parameters).toMatchObject({ type: "object" });
  });

  test("leave calls of other tools alone, and count none of them", async () => {
    const { call, reader } = await reading({ workspace: folder({ a: "x" }) });
    for (const name of ["set_waza_grade_pass", "write_file", "constructor", "__proto__", ""])
      expect(await call(name)).toBe("(no tool)");
    expect(reader.reads()).toBe(0);
  });

  test.each([undefined, null, "", 7, [], { path: 7, start_line: "x" }, { query: {} }])(
    "answer arguments that make no sense: %j",
    async (args) => {
      const { reader } = await reading({ workspace: folder({ a: "x" }) });
      const signal = new AbortController().signal;
      const answer = (name: string) => reader.answer({ name, arguments: args }, signal);
      expect(await answer("list_files")).toBe("1 file:\nworkspace/a (1 byte)");
      expect(await answer("read_file")).toMatch(/Say which file/);
      expect(await answer("search_files")).toMatch(/search for one line of text/);
    },
  );
});

describe("listing", () => {
  test("names all files with their sizes, or those below a folder", async () => {
    const { list } = await reading({
      workspace: folder({ "src/a.ts": "12345", "b.md": "x", "src/x/c": "" }),
    });
    expect(await list()).toBe(
      "3 files:\nworkspace/b.md (1 byte)\nworkspace/src/a.ts (5 bytes)\nworkspace/src/x/c (0 bytes)",
    );
    for (const path of ["workspace/src", "workspace/src/", "/workspace//./src"])
      expect(await list(path)).toBe("2 files:\nworkspace/src/a.ts (5 bytes)\nworkspace/src/x/c (0 bytes)");
    expect(await list("workspace/sr")).toMatch(NOWHERE);
  });

  test("leaves out .git and node_modules wherever they are, in any case", async () => {
    const files = [
      ".git/config",
      "node_modules/m/i.js",
      "a/.git/HEAD",
      "a/Node_Modules/x",
      "sub/.git",
      ".github/w.yml",
    ];
    const { list, read } = await reading({
      workspace: folder(Object.fromEntries(files.map((file) => [file, "x"]))),
    });
    expect(await list()).toBe("1 file:\nworkspace/.github/w.yml (1 byte)");
    for (const file of files.slice(0, 5)) expect(await read(`workspace/${file}`)).toMatch(NOWHERE);
  });

  test("is capped, with a count of the rest", async () => {
    const files = Object.fromEntries(Array.from({ length: 620 }, (_, i) => [`f/${String(i)}`, "x"]));
    const { list } = await reading({ workspace: folder({ ...files, "z/last": "x" }) });
    const lines = (await list()).split("\n");
    expect(lines[0]).toBe("621 files:");
    expect(lines.slice(1, -1)).toHaveLength(500);
    expect(lines.at(-1)).toMatch(/left out: 121 files/);
    expect(await list("workspace/z")).toBe("1 file:\nworkspace/z/last (1 byte)");
  });

  test("shows names with line ends on one line", async () => {
    const { list, read } = await reading({ workspace: folder({ "a\nb": "odd" }) });
    expect(await list()).toBe("1 file:\nworkspace/a%0Ab (3 bytes)");
    expect(await read("workspace/a%0Ab")).toContain("odd");
  });
});

describe("reading", () => {
  const ten = Array.from({ length: 10 }, (_, index) => `line ${String(index + 1)}`).join("\n");

  test.each<[number | undefined, number | undefined, string]>([
    [undefined, undefined, `workspace/a, lines 1 to 10 of 10:\n${ten}`],
    [3, 4, "workspace/a, lines 3 to 4 of 10:\nline 3\nline 4"],
    [9, 99, "workspace/a, lines 9 to 10 of 10:\nline 9\nline 10"],
    [7, 2, "workspace/a, lines 7 to 7 of 10:\nline 7"],
    [0, -1, `workspace/a, lines 1 to 10 of 10:\n${ten}`],
    [1.5, undefined, `workspace/a, lines 1 to 10 of 10:\n${ten}`],
    [11, undefined, "`workspace/a` has 10 lines."],
  ])("shows lines %s to %s", async (start, end, expected) => {
    const { read } = await reading({ workspace: folder({ a: `${ten}\n` }) });
    expect(await read("workspace/a", start, end)).toBe(expected);
  });

  test("shows an empty file, CRLF, a last line without an end, UTF-16 and broken characters", async () => {
    const workspace = folder({
      empty: "",
      crlf: "a\r\nb\r\n",
      utf16: Buffer.from("\uFEFFzwölf", "utf16le"),
      broken: Buffer.from([0x61, 0xff, 0x62]),
    });
    const { read } = await reading({ workspace });
    expect(await read("workspace/empty")).toBe("`workspace/empty` is empty.");
    expect(await read("workspace/crlf")).toBe("workspace/crlf, lines 1 to 2 of 2:\na\r\nb\r");
    expect(await read("workspace/utf16")).toContain("zwölf");
    expect(await read("workspace/broken")).toContain("a\uFFFDb");
  });

  test("is capped a call, and says how to go on", async () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `${String(index + 1)} ${"x".repeat(20)}`);
    const { read } = await reading({ workspace: folder({ a: lines.join("\n") }) });
    const first = await read("workspace/a");
    expect(first.length).toBeLessThanOrEqual(16_200);
    const next = Number(/left out: lines (\d+) to 4000; ask for them by start_line/.exec(first)?.[1]);
    expect(first).toContain(`\n${String(next - 1)} x`);
    expect(await read("workspace/a", next)).toContain(`\n${String(next)} x`);
  });

  test("cuts a line that is longer than a call", async () => {
    const { read } = await reading({ workspace: folder({ a: "y".repeat(100_000) }) });
    const output = await read("workspace/a");
    expect(output.length).toBeLessThanOrEqual(16_200);
    expect(output).toMatch(/the rest of this line is left out/);
  });

  test("of a huge file shows its beginning, and takes no more memory than that", async () => {
    const workspace = folder({ log: "first line\n" });
    truncateSync(join(workspace, "log"), 3_000_000_000);
    writeFileSync(join(workspace, "text"), `first line\n${"z".repeat(5_000_000)}`);
    const { read, list, search } = await reading({ workspace });
    expect(await list()).toContain("workspace/log (3,000,000,000 bytes)");
    expect(await read("workspace/log")).toBe("`workspace/log` is a binary file of 3,000,000,000 bytes.");
    expect(await read("workspace/text", 1, 1)).toMatch(
      /first line\n\[\.\.\. left out: all after the first 4,194,304 bytes/,
    );
    expect(await search("first")).toContain("workspace/text:1: first line");
  });

  test("refuses binary files politely", async () => {
    const { read } = await reading({ workspace: folder({ "a.png": Buffer.from([0x89, 0x50, 0, 1]) }) });
    expect(await read("workspace/a.png")).toBe("`workspace/a.png` is a binary file of 4 bytes.");
  });

  test("passes through what conceals secrets, also where a cut would have halved one", async () => {
    const secret = "ghs_0123456789";
    const workspace = folder({ a: `${"x".repeat(15_995)}${secret}\n`, [`${secret}.txt`]: "name" });
    const redact = (text: string) => text.replaceAll(secret, "[redacted]");
    const { read, search, list, evidence } = await reading({ workspace, redact });
    const texts = [await read("workspace/a"), await search("ghs_"), await search("xxx"), await list()];
    expect(`${texts.join("\n")}\n${evidence()?.text ?? ""}`).not.toContain("ghs_");
  });
});

describe("searching", () => {
  const workspace = () =>
    folder({
      "src/a.ts": "const a = 1;\nfunction find(x) {}\n",
      "src/b.ts": "find(a)\n.*\n",
      "bin/x": Buffer.from("find\0"),
    });

  test("finds lines by a plain text, in all files or below a folder or in a file", async () => {
    const { search } = await reading({ workspace: workspace() });
    expect(await search("find(")).toBe(
      "2 lines:\nworkspace/src/a.ts:2: function find(x) {}\nworkspace/src/b.ts:1: find(a)",
    );
    expect(await search(".*")).toBe("1 line:\nworkspace/src/b.ts:2: .*");
    expect(await search("find", "workspace/src/b.ts")).toBe("1 line:\nworkspace/src/b.ts:1: find(a)");
    expect(await search("FIND")).toBe("No line of 3 files contains it.");
    expect(await search("x", "workspace/lib")).toMatch(NOWHERE);
    expect(await search("a\nb")).toMatch(/one line/);
  });

  test("is capped in lines and in the length of each", async () => {
    const text = `${"long ".repeat(400)}NEEDLE ${"tail ".repeat(400)}\n`.repeat(150);
    const { search } = await reading({ workspace: folder({ a: text }) });
    const lines = (await search("NEEDLE")).split("\n");
    expect(lines.slice(1, -1).length).toBeLessThanOrEqual(100);
    expect(lines.at(-1)).toMatch(/the search stopped here/);
    for (const line of lines.slice(1, -1)) {
      expect(line).toContain("NEEDLE");
      expect(line.length).toBeLessThanOrEqual(230);
    }
  });

  test("stops when the grade's time is over", async () => {
    const { reader } = await reading({ workspace: workspace() });
    const call = { name: "search_files", arguments: { query: "find" } };
    expect(await reader.answer(call, AbortSignal.abort())).toMatch(/stopped here/);
  });
});

describe("the way out", () => {
  /** A workspace beside a secret, with links of every kind. */
  function linked() {
    const base = folder({
      "secret/key": "SECRET",
      "agent/src/a.ts": "inside",
      "agent/.git/config": "SECRET",
    });
    const root = join(base, "agent");
    const link = (to: string, name: string) => {
      symlinkSync(to, join(root, name));
    };
    link("../secret/key", "file-out");
    link(join(base, "secret"), "folder-out");
    link("src/a.ts", "file-in");
    link("src", "folder-in");
    link(".git/config", "git-in");
    link(".git", "git-folder");
    link("..", "up");
    link(".", "itself");
    link("not-there", "dangling");
    link("loop", "loop");
    link("/proc/self/environ", "proc");
    link("/dev/zero", "zero");
    return { base, root };
  }

  test("is closed: links that lead out are not listed and refused, those that stay inside are followed", async () => {
    const { root } = linked();
    const { list, read, search, evidence } = await reading({ workspace: root });
    expect(await list()).toBe("2 files:\nworkspace/file-in (6 bytes)\nworkspace/src/a.ts (6 bytes)");
    expect(evidence()?.text).toBe("workspace/file-in\nworkspace/src/a.ts");
    for (const path of ["file-in", "folder-in/a.ts", "itself/src/a.ts", "src/a.ts"])
      expect(await read(`workspace/${path}`)).toContain("inside");
    for (const path of [
      ...["file-out", "folder-out/key", "folder-out", "git-in", "git-folder/config", "up/secret/key", "up"],
      ...["dangling", "loop", "proc", "zero", "", ".", "itself/../secret/key", "..", "../secret/key", "src"],
      ...["src/../../secret/key", ".git/config", "SRC\0", "folder-in/../../secret/key"],
    ]) {
      const again = await reading({ workspace: root });
      expect(await again.read(`workspace/${path}`)).toMatch(NOWHERE);
      expect(await again.search("S", `workspace/${path}`)).not.toContain("SECRET");
    }
    expect(await search("SECRET")).toBe("No line of 2 files contains it.");
  });

  test.each([
    "/etc/passwd",
    "etc/passwd",
    "~/.ssh/id_rsa",
    "file:///etc/passwd",
    "../../etc/passwd",
    "C:\\x",
    "given/a",
  ])("is no other path either: %s", async (path) => {
    const { read, list } = await reading({ workspace: folder({ a: "x" }) });
    expect(await read(path)).toMatch(NOWHERE);
    expect(await list(path)).toMatch(NOWHERE);
  });

  test("is not opened by a file that is replaced by a link after it was found", async () => {
    const { base, root } = linked();
    const { read } = await reading({ workspace: root });
    rmSync(join(root, "src"), { recursive: true });
    symlinkSync(join(base, "secret"), join(root, "src"));
    writeFileSync(join(base, "secret/a.ts"), "SECRET");
    expect(await read("workspace/src/a.ts")).toBe("That cannot be read.");
    rmSync(join(root, "src"));
    expect(await read("workspace/src/a.ts")).toBe("That cannot be read (ENOENT).");
  });

  test("nor is a file that was replaced by a link to another of the folder", async () => {
    const root = folder({ a: "x", b: "y" });
    const { read } = await reading({ workspace: root });
    rmSync(join(root, "a"));
    symlinkSync("b", join(root, "a"));
    expect(await read("workspace/a")).toBe("That cannot be read (ELOOP).");
  });

  test("waits for no pipe, listed or put in a file's place", async () => {
    const root = folder({ a: "x" });
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0);
    const { list, read, search } = await reading({ workspace: root });
    expect(await list()).toBe("1 file:\nworkspace/a (1 byte)");
    expect(await read("workspace/pipe")).toMatch(NOWHERE);
    rmSync(join(root, "a"));
    spawnSync("mkfifo", [join(root, "a")]);
    expect(await read("workspace/a")).toBe("That cannot be read.");
    expect(await search("x")).toBe("No line of 1 file contains it.");
  });
});

describe("the caps", () => {
  test("are 40 calls a grade, errors included", async () => {
    const { read, reader } = await reading({ workspace: folder({ a: "x" }) });
    for (let index = 0; index < MOST_READS; index += 1) await read(index % 2 ? "workspace/a" : "nowhere");
    expect(await read("workspace/a")).toBe("No more: 40 reads are all there are. Report now.");
    expect(reader.reads()).toBe(MOST_READS);
  });

  test("are the characters of all answers together", async () => {
    const workspace = folder({ a: `${"x".repeat(99)}\n`.repeat(1_000) });
    const { read, reader } = await reading({ workspace, characters: 25_000 });
    let all = 0;
    for (let index = 0; index < 5; index += 1) all += (await read("workspace/a", index * 100 + 1)).length;
    expect(all).toBeLessThan(25_800);
    expect(await read("workspace/a")).toMatch(/^No more: 25,000 characters/);
    expect(reader.reads()).toBe(2);
  });
});

describe("files that the task gave the agent", () => {
  test("are read as given/, the named ones before those of the context folder", async () => {
    const contextDir = folder({ "fixture.py": "from the folder", "data/x.csv": "1,2" });
    const at = join(folder({ "real.md": "by path" }), "real.md");
    const files: TaskFile[] = [
      { name: "fixture.py", content: "by content" },
      { name: "./docs/readme.md", path: at },
      { name: "../../etc/odd", content: "kept inside" },
      { name: "gone.md", path: "/not/there" },
      { name: "folder.md", path: contextDir },
    ];
    const { list, read, evidence } = await reading({ files, contextDir });
    expect(await list()).toBe(
      [
        "6 files:",
        "given/data/x.csv (3 bytes)",
        "given/fixture.py (10 bytes)",
        "given/docs/readme.md (7 bytes)",
        "given/etc/odd (11 bytes)",
        "given/folder.md/data/x.csv (3 bytes)",
        "given/folder.md/fixture.py (15 bytes)",
      ].join("\n"),
    );
    expect(await read("given/fixture.py")).toContain("by content");
    expect(await read("given/docs/readme.md")).toContain("by path");
    expect(evidence()).toMatchObject({ title: "files: 6", readable: true });
  });

  test("and an empty workspace differ from none at all", async () => {
    expect((await reading({})).evidence()).toBeUndefined();
    expect((await reading({ files: [] })).evidence()).toBeUndefined();
    expect((await reading({ contextDir: "/not/there" })).evidence()).toBeUndefined();
    expect((await reading({ workspace: folder() })).evidence()).toEqual({
      title: "files: 0",
      text: "(workspace/ is empty)",
      readable: false,
    });
  });

  test("are listed with the workspace's, capped with a count", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${String(i)}`, "x"]));
    const { evidence } = await reading({ workspace: folder(many), files: [{ name: "a", content: "" }] });
    const { title, text = "" } = evidence() ?? {};
    expect(title).toBe("files: 301");
    expect(text.split("\n")).toHaveLength(202);
    expect(text).toMatch(/^given\/a\nworkspace\/f0\n/);
    expect(text).toMatch(/\n\[\.\.\. left out: 100 files of workspace\/ \.\.\.\]$/);
  });
});

describe("the fingerprint of what can be read", () => {
  const of = async (setup: Setup) => await (await reading(setup)).reader.fingerprint();

  test("is the same for the same files, wherever they lie", async () => {
    const files = { "a.ts": "1", "b/c": "2" };
    expect(await of({ workspace: folder(files) })).toBe(await of({ workspace: folder(files) }));
    expect(await of({ workspace: folder(files) })).toMatch(/^[0-9a-f]{64} 100000$/);
  });

  test.each<[string, Setup]>([
    ["a content", { workspace: folder({ a: "2" }) }],
    ["a name", { workspace: folder({ b: "1" }) }],
    ["a further file", { workspace: folder({ a: "1", b: "" }) }],
    ["what lies in given/ instead", { contextDir: folder({ a: "1" }) }],
    ["an empty folder", { workspace: folder() }],
  ])("is another one for %s", async (_name, setup) => {
    expect(await of(setup)).not.toBe(await of({ workspace: folder({ a: "1" }) }));
  });

  test("is none for more than 200 MB", async () => {
    const workspace = folder();
    for (let index = 0; index < 51; index += 1) {
      writeFileSync(join(workspace, String(index)), "");
      truncateSync(join(workspace, String(index)), 4 * 1024 * 1024);
    }
    expect(await of({ workspace })).toBeUndefined();
  });
});
