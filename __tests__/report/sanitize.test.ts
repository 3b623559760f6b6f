import { describe, expect, test } from "@jest/globals";
import {
  htmlText,
  logLine,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownText,
  plainText,
  urlPath,
} from "../../src/safety/sanitize.ts";
import { renderMarkdown } from "../../scripts/render-markdown.ts";
import { ATTACKS as EVERYWHERE, PLAIN } from "../support/attacks.ts";
import { times } from "../support/factories.ts";

/** What is hostile anywhere, but for plain words and what is cut; and what is hostile by the character before it. */
const ATTACKS: readonly [string, string][] = [
  ...EVERYWHERE.filter((attack) => attack[1].length < 1_000 && !PLAIN.has(attack)),
  ["https after an underscore", "_https://evil.example/x"],
  ["https after a digit", "1https://evil.example/x"],
  ["https after a letter of another script", "漢https://evil.example/x"],
  ["https after a star and a bracket", "*(https://evil.example)*"],
  ["www after an underscore", "_www.evil.example"],
  ["names with underscores", "__proto__ snake_case_name"],
  ["a short SHA behind four digits that hide it", "0000abc1234"],
  ["a SHA of 64 digits", "0123456789abcdef".repeat(4)],
  ["a table row, a list and code in later lines", "x\n| y |\n## z\n[ ] todo\n    indented"],
  ["nothing", ""],
  ["white space", " \n\t "],
];

const LINE = (text: string) =>
  plainText(text)
    .replace(/\u200B/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Every tag of a page in order, as `tag` or `/tag`. */
const tagsOf = (html: string) =>
  [...html.matchAll(/<(\/?[a-z][a-z0-9]*)\b[^>]*>/gi)].map(([, tag]) => tag ?? "");

/** What a reader sees: tags gone, entities decoded, invisible spaces gone, white space as one. */
function seen(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ""))
    .replace(/\u200B/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|quot|amp));/gi,
    (_, hex?: string, number?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? "";
      return String.fromCodePoint(hex === undefined ? Number(number) : parseInt(hex, 16));
    },
  );
}

/** Text nodes outside code, which GitHub scans for mentions, references and commits. */
const textNodes = (html: string) =>
  html
    .replace(/<code[^>]*>[\s\S]*?<\/code>/g, "<br>")
    .split(/<[^>]*>/)
    .map(decode);

function expectNoReferences(html: string): void {
  for (const node of textNodes(html)) {
    expect(node).not.toMatch(/@[a-z0-9]/i);
    expect(node).not.toMatch(/#\d/);
    expect(node).not.toMatch(/\bGH-\d/i);
    expect(node).not.toMatch(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\b[0-9a-f]{40}\b/i);
  }
}

function expectNothingActive(html: string): void {
  expect(
    tagsOf(html).filter((tag) =>
      /^(?:a|img|script|h[1-6]|input|hr|iframe|section|sup|del|em|pre)$/.test(tag),
    ),
  ).toEqual([]);
  expect((html.match(/<[^>]*>/g) ?? []).filter((tag) => /\son\w+=|href=|src=|style=/i.test(tag))).toEqual([]);
}

const MAKERS: [string, (text: string) => string][] = [
  ["markdownText", markdownText],
  ["markdownProse", markdownProse],
  ["markdownCode", markdownCode],
];

/** What a reader sees, white space apart; in prose the backticks around code are not seen, so all are left out. */
const comparable = (name: string, text: string) =>
  text.replace(/\s+/g, "").replace(name === "markdownProse" ? /`/g : /$^/g, "");

const squeezed = (text: string) => text.replace(/\s+/g, "");

describe.each(MAKERS)("%s", (name, make) => {
  test.each(ATTACKS)("keeps %s harmless and readable in a table cell", async (_attack, text) => {
    const html = await renderMarkdown(
      `| head | other |\n|:--|:--|\n| ${make(text)} | CELL |\n| next | row |\n`,
    );
    expect(tagsOf(html).filter((tag) => /^(?:table|tr|td|th)$/.test(tag))).toEqual([
      "table",
      ...["tr", "th", "th"],
      ...["tr", "td", "td"],
      ...["tr", "td", "td"],
    ]);
    expectNothingActive(html);
    expectNoReferences(html);
    const cells = [...html.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell]) => cell ?? "");
    expect(comparable(name, seen(cells[0] ?? ""))).toBe(comparable(name, LINE(text)));
    expect(cells.slice(1).map(seen)).toEqual(["CELL", "next", "row"]);
  });

  test.each(ATTACKS)("keeps %s harmless and readable at the start of a list item", async (_attack, text) => {
    const html = await renderMarkdown(`- ${make(text)}\n- NEXT\n\nAFTER\n`);
    expect(
      tagsOf(html).filter((tag) => /^\/?(?:ul|ol|li|table|blockquote|details|summary)$/.test(tag)),
    ).toEqual(["ul", ...["li", "/li"], ...["li", "/li"], "/ul"]);
    expectNothingActive(html);
    expectNoReferences(html);
    const items = [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, item]) => item ?? "");
    expect(comparable(name, seen(items[0] ?? ""))).toBe(comparable(name, LINE(text)));
    expect(items.slice(1).map(seen)).toEqual(["NEXT"]);
    expect(html).toMatch(/<\/ul>\s*<p>AFTER<\/p>\s*$/);
  });

  test.each(ATTACKS)("keeps %s harmless after bold text and before a break", async (_attack, text) => {
    const html = await renderMarkdown(`- ❌ **${make(text) || "-"}**<br>${make(text)} END\n`);
    expect(
      tagsOf(html).filter((tag) => /^\/?(?:ul|ol|li|table|blockquote|details|summary)$/.test(tag)),
    ).toEqual(["ul", ...["li", "/li"], "/ul"]);
    expectNothingActive(html);
    expectNoReferences(html);
    expect(seen(html).endsWith("END")).toBe(true);
  });
});

describe("words that are or look like a commit's SHA", () => {
  test.each([
    ["of seven digits", "1234567"],
    ["of letters", "defaced"],
  ])("%s are left as they are", (_what, word) => {
    for (const make of [markdownText, markdownProse, htmlText]) expect(make(word)).toBe(word);
  });

  test.each([
    ["forty, mixed", "0123456789abcdef0123456789abcdef01234567"],
    ["forty digits", "1234567890".repeat(4)],
    ["forty letters", "deadbeefca".repeat(4)],
    ["forty digits but for a letter", `${"1234567890".repeat(4).slice(1)}a`],
    ["forty letters but for a digit", `1${"deadbeefca".repeat(4).slice(1)}`],
    ["seven, mixed", "1a2b3c4"],
  ])("%s are in pieces that GitHub takes for none, and read the same", (_what, word) => {
    for (const make of [markdownText, markdownProse, htmlText]) {
      const made = make(word);
      expect(made).not.toMatch(/[0-9a-f]{7}/i);
      expect(made.replaceAll("\u200B", "")).toBe(word);
    }
  });
});

describe("htmlText", () => {
  test.each(ATTACKS)("keeps %s harmless and readable inside a summary", async (_attack, text) => {
    const markdown = `<details><summary><b>${htmlText(text)}</b> · TITLE</summary>\n\nBODY\n\n</details>\n\nAFTER\n`;
    const html = await renderMarkdown(markdown);
    expect(tagsOf(html).filter((tag) => !/^\/?(?:span|br)$/.test(tag))).toEqual([
      ...["details", "summary", "b", "/b", "/summary"],
      ...["p", "/p", "/details", "p", "/p"],
    ]);
    expectNothingActive(html);
    expectNoReferences(html);
    const title = /<summary><b>([\s\S]*?)<\/b> · TITLE<\/summary>/.exec(html)?.[1];
    expect(squeezed(seen(title ?? "(none)"))).toBe(squeezed(LINE(text)));
  });
});

describe("markdownBlock", () => {
  test.each(ATTACKS)("shows %s as it is, and nothing of it gets out", async (_attack, text) => {
    const html = await renderMarkdown(
      `<details><summary>x</summary>\n\n${markdownBlock(text)}\n\n</details>\n\nAFTER\n`,
    );
    expect(tagsOf(html)).toEqual([
      ...["details", "summary", "/summary", "pre", "code", "/code", "/pre"],
      ...["/details", "p", "/p"],
    ]);
    const shown = /<code[^>]*>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? "";
    expect(decode(shown).replace(/\n$/, "")).toBe(plainText(text));
  });

  test.each(ATTACKS)("shows %s in a list item, indented", async (_attack, text) => {
    const html = await renderMarkdown(`- item\n\n${markdownBlock(text).replace(/^/gm, "  ")}\n\n- NEXT\n`);
    expect(tagsOf(html).filter((tag) => /^\/?(?:ul|li|pre)$/.test(tag))).toEqual([
      ...["ul", "li", "pre", "/pre", "/li"],
      ...["li", "/li", "/ul"],
    ]);
  });

  test("has a fence longer than any run of backticks in it", async () => {
    for (let run = 1; run < 12; run += 1) {
      const text = `${"`".repeat(run)}\nx\n${"`".repeat(run)}`;
      const html = await renderMarkdown(`${markdownBlock(text)}\n\nAFTER`);
      expect(html.match(/<pre>/g)).toHaveLength(1);
      expect(html).toMatch(/<p>AFTER<\/p>/);
    }
  });
});

describe("the lines of markdownBlock", () => {
  const linesOf = (text: string) => markdownBlock(text).split("\n").slice(1, -1);

  test("stay as they were broken where one scrolls little", () => {
    const rubric = [...times(3, () => "word ".repeat(30).trim()), "end"];
    expect(linesOf(rubric.join("\n"))).toEqual(rubric);
  });

  test("are broken between words where one would scroll far", () => {
    const lines = linesOf("word ".repeat(60).trim());
    expect(lines.map(({ length }) => length)).toEqual([109, 109, 79]);
  });
});

describe("the attacks put together", () => {
  const alphabet = [
    ...[
      "`",
      "|",
      "*",
      "_",
      "<",
      ">",
      "[",
      "]",
      "(",
      ")",
      "!",
      "#",
      "@",
      "\\",
      "&",
      ";",
      "$",
      "~",
      "-",
      "\n",
      " ",
    ],
    ...["a", "1", "😀", "https://e.x", "www.e.x", "</details>", "```"],
  ];

  /** A fixed sequence of pseudo-random numbers, so that a failure can be repeated. */
  function randomText(seed: number): string {
    let state = seed * 2_654_435_761;
    return times(14, () => {
      state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
      return alphabet[(state >>> 8) % alphabet.length];
    }).join("");
  }

  test.each(MAKERS)("at random stay text in cells and items of %s", async (name, make) => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const text = randomText(seed);
      const html = await renderMarkdown(
        `| a | b |\n|--|--|\n| ${make(text)} | CELL |\n\n- ${make(text)}\n- NEXT\n`,
      );
      const found = {
        active: tagsOf(html).filter((tag) => /^(?:a|img|h[1-6]|input|hr|em|del|pre|details)$/.test(tag)),
        cells: [...html.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].length,
        last: seen([...html.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].at(-1)?.[1] ?? ""),
        items: [...html.matchAll(/<li>/g)].length,
        text: comparable(name, seen(/<li>([\s\S]*?)<\/li>/.exec(html)?.[1] ?? "")),
      };
      const expected = { active: [], cells: 2, last: "CELL", items: 2, text: comparable(name, LINE(text)) };
      expect({ seed, source: text, ...found }).toEqual({ seed, source: text, ...expected });
    }
  });
});

describe("markdownProse", () => {
  test("shows pairs of backticks as code, anything in it", async () => {
    const html = await renderMarkdown(`| ${markdownProse("run `a | b` and `<img>` or *that*")} |\n|--|\n`);
    expect(html).toContain("<code>a | b</code>");
    expect(html).toContain("<code>&#x3C;img></code>");
    expect(html).toContain("*that*");
  });

  test("keeps the spaces between code and text", async () => {
    expect(seen(await renderMarkdown(markdownProse("use `a` or `b`, not`c`")))).toBe("use a or b, notc");
  });
});

describe("plainText", () => {
  test.each<[string, string, string]>([
    ["drops terminal codes", "\u001b[1;31mred\u001b[0m", "red"],
    ["keeps what follows a code that never ends", "a\u001b]b\nc", "ab\nc"],
    ["makes every line end one of ours", "a\r\nb\rc\n", "a\nb\nc\n"],
    ["shows control characters as unreadable", "a\u0000b\u0008c", "a\uFFFDb\uFFFDc"],
    ["keeps tabs, emoji and other scripts", "\ta 😀 漢 é עברית", "\ta 😀 漢 é עברית"],
    ["drops what reorders text", "a\u202Eb\u2066c\u2069d\uFEFF", "abcd"],
    ["makes half characters whole", "a\uD83D", "a\uFFFD"],
    ["leaves Markdown and HTML alone", "<b>*x*</b> @user #1", "<b>*x*</b> @user #1"],
  ])("%s", (_name, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });
});

describe("logLine", () => {
  test.each([
    "::error::x",
    "   ::error::x",
    "\t::warning file=a::x",
    "\u00a0::x::",
    "\u3000::x::",
    "\n\n::x::",
    "\uFEFF::x::",
    ":\uFEFF:error::x",
    "\u001b[1m::error::x",
    "\u0085::x::",
  ])("breaks the command in %j", (text) => {
    expect(logLine(text).trimStart()).not.toMatch(/^::/);
    expect(logLine(text).replace(/\u200B/g, "")).toContain("::");
  });

  test.each(["##[error]x", "a ##[add-mask]b ##[group]c", "###[x]", "#\uFEFF#[x]", "##\u001b[0m[x]"])(
    "breaks the old command in %j",
    (text) => {
      expect(logLine(text)).not.toContain("##[");
    },
  );

  test("leaves ordinary lines as they are", () => {
    expect(logLine("✅ a · b: 0.50 (std::vector, C++ ::x)")).toBe("✅ a · b: 0.50 (std::vector, C++ ::x)");
  });
});

describe("urlPath", () => {
  test.each<[string, string]>([
    ["evals/a b/eval.yaml", "evals/a%20b/eval.yaml"],
    ['x"><img src=x>/e.yaml', "x%22%3E%3Cimg%20src%3Dx%3E/e.yaml"],
    ["a)b(c'd*e!f", "a%29b%28c%27d%2Ae%21f"],
    ["a#L1?x=1&y", "a%23L1%3Fx%3D1%26y"],
    ["漢/😀.yaml", "%E6%BC%A2/%F0%9F%98%80.yaml"],
  ])("encodes %s", (path, expected) => {
    expect(urlPath(path)).toBe(expected);
  });

  test("does not throw on a file name with half a character", () => {
    expect(() => urlPath("evals/\uD83D.yaml")).not.toThrow();
  });
});
