/** What hostile files, agents and judges write: a name in prose, and the text. */
const SHA = "0123456789abcdef0123456789abcdef01234567";

const fences = [3, 4, 12].map((length): [string, string] => [
  `a fence of ${String(length)} backticks`,
  `${"`".repeat(length)}\ncode <img src=x>\n${"`".repeat(length)}\n# after`,
]);

export const COMMANDS: [string, string][] = [
  ["a workflow command", "::error::pwned"],
  ["a workflow command after white space", " \t ::add-mask::pwned"],
  ["a workflow command after a line end", "fine\n::set-output name=x::y"],
  ["a workflow command after a carriage return", "fine\r::error file=a,line=1::y"],
  ["a workflow command after a line end of Windows", "fine\r\n::stop-commands::x"],
  ["a workflow command after Unicode's line ends", "fine\u2028::error::x\u2029::error::y\u0085::error::z"],
  ["a workflow command behind invisible marks", "\uFEFF::error::x :\u202A:error::y"],
  ["an old workflow command", "##[set-output name=x]y"],
  ["an old workflow command within a line", "see ##[group]here and #\uFEFF#[error]there"],
  ["an old workflow command behind a colour", "#\u001b[0m#[command]x"],
];

const MARKDOWN: [string, string][] = [
  ["pipes", "a | b || c \\| d \\\\| e"],
  ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
  ["a table row after a line end", "x\n| y | z |"],
  ["a line of a table's head", "|:--|:-:|--:|"],
  ...fences,
  ["a fence of tildes", "~~~\ncode\n~~~\n# after"],
  ["an indented fence", "   ```html\n   <img src=x>\n   ```"],
  ["a fence that is never closed", "```\n</details>"],
  ["a fence in a list", "- ```\n  code\n- x"],
  ["backtick runs", "`a` ``b`c`` ```` d `"],
  ["an open code span", "`never closed"],
  ["an image that is a beacon", "![x](https://evil.example/p.png)"],
  ["an image of data", "![x](data:image/svg+xml;base64,PHN2Zz4=)"],
  ["a link", "[click](https://evil.example)"],
  ["a link with script", "[click](javascript:alert(1)) [x](JaVaScRiPt&#58;alert(1))"],
  ["a link of data", "[click](data:text/html,<script>alert(1)</script>)"],
  ["a link across a code span", "[`a`](https://evil.example)"],
  ["an image in a link", "[![x](https://evil.example/p.png)](https://evil.example)"],
  ["links by reference", "[x][y] [y] [y][] ![y]\n\n[y]: https://evil.example 'title'"],
  ["a definition", "[Score]: https://evil.example"],
  ["autolinks", "<https://evil.example> <mona@evil.example> <javascript:alert(1)>"],
  ["bare links", "https://evil.example/x?y#z www.evil.example HTTP://EVIL.EXAMPLE ftp://evil.example"],
  ["an e-mail address", "mona@evil.example mailto:mona@evil.example xmpp:mona@evil.example/x"],
  ["footnotes", "text[^1] ^[inline]\n\n[^1]: note https://evil.example"],
  ["math", "$x$ $$y$$ $`z`$ \\(a\\) \\[b\\] cost $5"],
  ["a math block", "$$\n\\unicode{x26}\\href{https://evil.example}{x}\n$$"],
  ["a block of math in a fence", "```math\nx\n```"],
  ["a diagram", "```mermaid\ngraph TD; a-->b; click a href 'https://evil.example'\n```"],
  ["an alert", "> [!WARNING]\n> text"],
  ["a task list", "- [ ] todo\n- [x] done\n1. [ ] other"],
  ["headings", "# one\n## two ##"],
  ["a setext heading", "title\n==="],
  ["another setext heading", "title\n---"],
  ["thematic breaks", "***\n- - -\n___"],
  ["lists", "- a\n+ b\n* c\n1. d\n2) e"],
  ["emphasis", "*a* **b** _c_ __d__ ~~e~~ ~f~ ***g***"],
  ["indented code", "    indented\n\ttabbed"],
  ["hard breaks", "a  \nb\\\nc"],
  ["entities", "&lt;img src=x&gt; &#60;b&#62; &copy; &nope; & <"],
  ["backslashes", "\\*a\\* \\<b\\> C:\\dir\\[x] ends with \\"],
  ["an emoji's name", ":shipit: :+1:"],
  ["a colour", "`#0969DA` `rgb(9, 105, 218)`"],
];

const HTML: [string, string][] = [
  ["a script", "<script>alert(1)</script>"],
  ["a script that is never closed", "<script>"],
  ["an image with a handler", '<img src=x onerror="alert(1)">'],
  ["an iframe", '<iframe src="https://evil.example"></iframe>'],
  ["a drawing", '<svg onload="alert(1)"><image href="https://evil.example/p.png"/></svg>'],
  ["a style", "<style>* { display: none }</style>"],
  ["a form", '<form action="https://evil.example"><input name=x><button>Go</button></form>'],
  ["a text area, which takes all that follows", "<textarea>"],
  ["a title, which takes all that follows", "<title><plaintext><xmp><noembed>"],
  ["a picture and a video", "<picture><source srcset=https://evil.example><video poster=x></video>"],
  ["a link tag", '<a href="javascript:alert(1)">x</a> "><a href=https://evil.example>'],
  ["a base", '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=//evil">'],
  ["the end of details", "</details></details>\n\n# free"],
  ["the end of a summary", "</summary></b></code></sub></a> <summary>"],
  ["a nested details", "<details open><summary>x</summary>"],
  ["a table of HTML", "</td></tr></table><table><tr><td>x"],
  ["a comment", "<!-- hidden --> shown <!-- never closed"],
  ["processing, declarations and CDATA", "<?php x ?> <!DOCTYPE z> <![CDATA[ y ]]> ]]>"],
  ["half a tag", '<img src="x'],
  ["the end of an attribute", '" onmouseover="alert(1)" x="'],
  ["a tag of several lines", "<img\nsrc=x\nonerror=alert(1)\n>"],
  ["our own mark of a comment", `<!-- waza-grade ${"0".repeat(32)} run 99999999.1 -->`],
];

const REFERENCES: [string, string][] = [
  ["mentions", "@user, (@user) and @org/team .@me"],
  ["mentions written as entities", "&#64;user &commat;user &amp;#64;user"],
  ["references", "#123 (#45) GH-1 gh-12 owner/repo#1 owner/repo@1a2b3c4"],
  ["a full SHA", SHA],
  ["a full SHA behind four digits", `0000${SHA}`],
  ["short SHAs", "see 1a2b3c4 and user@0a1b2c3, ABCDEF0123456789"],
  ["an address of GitHub", `https://github.com/o/r/commit/${SHA} github.com/o/r/issues/1`],
  ["an advisory", "CVE-2024-12345 GHSA-abcd-1234-efgh"],
];

export const CHARACTERS: [string, string][] = [
  [
    "terminal codes",
    "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u009b31m",
  ],
  ["bidi marks", "user \u202Eevil\u202C and \u2066x\u2069 \u200E\u200F\u061C"],
  ["zero-width characters", "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg"],
  ["what invisible characters split", "@\uFEFFuser #\u202A123 https:\uFEFF//evil.example <\uFEFFimg src=x>"],
  ["control characters", Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`).join("")],
  ["control characters of one byte more", "a\u007F\u0080\u0085\u009Fb"],
  ["NUL", "\0a\0\0b\0"],
  ["half characters", "\uDE00a\uD83Db\uD83D"],
  ["no characters at all", "a\uFFFE\uFFFFb"],
  ["Unicode's line separators", "a\u2028# b\u2029- c\u0085> d"],
  ["emoji and other scripts", "👩‍👩‍👧‍👦 😀 漢字 é עברית"],
  ["what breaks XML", "]]> <![CDATA[ &#0; &x; <!ENTITY y SYSTEM 'file:///etc/passwd'>"],
  ["a long name", "long <b> | ` ".repeat(8_000)],
];

export const NAMES: [string, string][] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "true",
  "0",
].map((name): [string, string] => [`the name ${name}`, name]);

/** Workflow commands and names of properties are plain words on a page. */
export const PLAIN: ReadonlySet<readonly [string, string]> = new Set([...COMMANDS, ...NAMES]);

export const EVERYTHING: [string, string] = [
  "everything at once",
  "`|`\n</details>|# @user ![x](https://evil.example) <img src=x> #1\n\n- [ ] $x$ ::error::x",
];

export const ATTACKS: readonly [name: string, text: string][] = [
  ...COMMANDS,
  ...MARKDOWN,
  ...HTML,
  ...REFERENCES,
  ...CHARACTERS,
  ...NAMES,
  EVERYTHING,
];
