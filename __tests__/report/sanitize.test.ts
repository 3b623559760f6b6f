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

/** What an attacker writes: a name, and the text that a judge, an agent or a file of a pull request holds. */
const ATTACKS: [string, string][] = [
  ["a workflow command", "::error::pwned"],
  ["a workflow command after white space", " ::add-mask::value"],
  ["an old workflow command in the middle", "see ##[group]here"],
  ["a command after a line end", "fine\n::set-output name=x::y\r\n::error::z"],
  ["carriage returns", "one\rtwo\r\nthree"],
  ["terminal colours", "\u001b[31mred\u001b[0m and \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007"],
  ["one-byte terminal codes", "\u009b31mred"],
  ["NUL and other control characters", "a\u0000b\u0007c\u001bd"],
  ["pipes", "a | b || c \\| d \\\\| e"],
  ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
  ["a table row after a line end", "x\n| y | z |"],
  ["backtick runs", "`a` ``b`c`` ```` d `"],
  ["an open code span", "`never closed"],
  ["a fence", "```js\nalert(1)\n```\nafter"],
  ["a longer fence", "`````\ncode\n````` x\n~~~\nmore"],
  ["a tilde fence", "~~~\ncode\n~~~"],
  ["an image tag", '<img src=x onerror="alert(1)">'],
  ["a script", "<script>alert(1)</script>"],
  ["a link tag", '<a href="javascript:alert(1)">x</a>'],
  ["a link tag that ends nothing", '"><a href=https://evil.example>'],
  ["an image", "![beacon](https://evil.example/p.png)"],
  ["an image by reference", "![x][y]\n\n[y]: https://evil.example/p.png"],
  ["a link", "[click](https://evil.example)"],
  ["a link with script", "[click](javascript:alert(1))"],
  ["a link across a code span", "[`a`](https://evil.example)"],
  ["http", "see http://evil.example/x now"],
  ["https", "see https://evil.example/x?y=1#z now"],
  ["https in capitals", "HTTPS://EVIL.EXAMPLE"],
  ["https after an underscore", "_https://evil.example/x"],
  ["https after a digit", "1https://evil.example/x"],
  ["https after a letter of another script", "漢https://evil.example/x"],
  ["https after a star and a bracket", "*(https://evil.example)*"],
  ["www", "www.evil.example"],
  ["www after an underscore", "_www.evil.example"],
  ["an e-mail address", "write to mona@evil.example now"],
  ["an e-mail address with a scheme", "mailto:mona@evil.example xmpp:mona@evil.example"],
  ["ftp", "ftp://evil.example/x"],
  ["an autolink in angle brackets", "<https://evil.example> <mona@evil.example>"],
  ["a comment", "<!-- hidden --> shown <!-- "],
  ["processing and CDATA", "<?php x ?> <![CDATA[ y ]]> <!DOCTYPE z>"],
  ["the end of details", "</details></details>\n\n# free"],
  ["the end of a summary", "</summary></b></code> <summary>"],
  ["a nested details", "<details open><summary>x</summary>"],
  ["a heading", "# heading"],
  ["a heading in a later line", "x\n## heading"],
  ["a closed heading", "## heading ##"],
  ["a dash list", "- item\n- item"],
  ["a plus list", "+ item"],
  ["a star list", "* item"],
  ["a numbered list", "1. item\n2) item"],
  ["a task list", "[ ] todo\n- [x] done"],
  ["a blockquote", "> quote\n> more"],
  ["an alert", "> [!WARNING]\n> text"],
  ["a footnote", "text[^1]\n\n[^1]: note https://evil.example"],
  ["setext underlines", "title\n==="],
  ["another setext underline", "title\n---"],
  ["thematic breaks", "***\n- - -\n___"],
  ["emphasis", "*a* **b** _c_ __d__ ~~e~~ ~f~ __proto__ snake_case_name"],
  ["math", "$x$ $$y$$ $`z`$ cost $5 and $6"],
  ["a mention", "@user, (@user) and @org/team and .@me"],
  ["a mention after an entity", "&#64;user &commat;user &amp;#64;user"],
  ["issue references", "#123 and (#45), GH-12, gh-12, owner/repo#1"],
  ["a full SHA", "0123456789abcdef0123456789abcdef01234567"],
  ["short SHAs", "see 1a2b3c4 and owner/repo@1a2b3c4d5e6f and user@0a1b2c3"],
  ["a short SHA behind four digits that hide it", "0000abc1234"],
  ["a full SHA behind four digits that hide it", "00000123456789abcdef0123456789abcdef01234567"],
  ["a SHA in capitals", "ABCDEF0123456789"],
  ["a SHA of 64 digits", "0123456789abcdef".repeat(4)],
  ["bidi overrides", "user \u202Eevil\u202C and \u2066x\u2069"],
  [
    "a mention split by an invisible mark",
    "@\uFEFFuser #\u202A123 https:\uFEFF//evil.example ##\uFEFF[error]",
  ],
  ["entities", "&lt;img src=x&gt; &amp;lt; &copy; &#60; &#x3C; &nope; & <"],
  ["backslashes", "\\*a\\* \\<b\\> C:\\dir\\[x] ends with \\"],
  ["half a character", "a\uD83D and \uDE00b"],
  ["indented code", "    indented\n\ttabbed"],
  ["a hard break", "a  \nb\\\nc"],
  ["line separators of Unicode", "a\u2028# b\u2029- c\u0085> d"],
  ["nothing", ""],
  ["white space", " \n\t "],
  ["everything at once", "`|`\n</details>|# @user ![x](https://evil.example) <img src=x> #1\n\n- [ ] $x$"],
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
    const rubric = [...Array.from({ length: 3 }, () => "word ".repeat(30).trim()), "end"];
    expect(linesOf(rubric.join("\n"))).toEqual(rubric);
  });

  test("are broken between words where one would scroll far", () => {
    const lines = linesOf("word ".repeat(60).trim());
    expect(lines.map(({ length }) => length)).toEqual([109, 109, 79]);
  });
});

describe("the attacks put together", () => {
  const alphabet = [
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
    "a",
    "1",
    "😀",
    "https://e.x",
    "www.e.x",
    "</details>",
    "```",
  ];

  /** A fixed sequence of pseudo-random numbers, so that a failure can be repeated. */
  function randomText(seed: number): string {
    let state = seed * 2_654_435_761;
    return Array.from({ length: 14 }, () => {
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
  test.each(ATTACKS)("makes one harmless line of %s", (_name, text) => {
    const line = logLine(text);
    // eslint-disable-next-line no-control-regex -- their absence is what is tested
    expect(line).not.toMatch(/[\r\n\u001b\u0000]/);
    expect(line.trimStart()).not.toMatch(/^::/);
    expect(line).not.toContain("##[");
  });

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
