export const id = 418;
export const ids = [418];
export const modules = {

/***/ 2418:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderHtml: () => (/* binding */ renderHtml)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/domain/row.js
var row = __webpack_require__(8676);
// EXTERNAL MODULE: ./lib/safety/sanitize.js
var sanitize = __webpack_require__(4459);
// EXTERNAL MODULE: ./lib/report/document/tree.js
var tree = __webpack_require__(4680);
;// CONCATENATED MODULE: ./lib/report/document/html.js
/** Renders the document tree as HTML, for the report file. Pure. */


/** Titles of a section's parts are no headings: a page of a thousand grades has thousands of them. */
const TAGS = { heading: "h2", line: "p" };
const MARKS = { bold: "b", small: "small" };
/** Blocks one below the other. */
function html(blocks) {
    return blocks.map(renderBlock).join("\n");
}
function htmlLine(line) {
    return line.map(renderInline).join("");
}
function renderBlock(block) {
    switch (block.kind) {
        case "title":
            return `<p class="title">${htmlLine(block.line)}</p>`;
        case "note":
            return `<p class="meta">${htmlLine(block.line)}</p>`;
        // Browsers drop the first line end in <pre>; `tabindex` lets the keyboard scroll it.
        case "text":
            return `<pre tabindex="0">\n${(0,sanitize/* pageText */.xe)(block.text)}</pre>`;
        case "list":
            return `<ul>${block.items.map(renderItem).join("\n")}</ul>`;
        case "fold":
            return `<details><summary>${htmlLine(block.title)}</summary><div class="body">${html(block.body)}</div></details>`;
        case "table":
            return tableElement(block);
        default:
            return `<${TAGS[block.kind]}>${htmlLine(block.line)}</${TAGS[block.kind]}>`;
    }
}
function renderItem({ line, below = [] }) {
    return `<li>${htmlLine(line)}${html(below)}</li>`;
}
function tableElement(table) {
    const { caption, heads, rows } = table;
    const head = heads.map((one) => `<th scope="col">${htmlLine(one)}</th>`).join("");
    const row = ([first = [], ...cells]) => `<tr><th scope="row">${htmlLine(first)}</th>${cells.map((cell, index) => `<td class="${(0,tree/* isOfNumbers */.OR)(table, index + 1) ? "right" : "left"}">${htmlLine(cell)}</td>`).join("")}</tr>`;
    return `<div class="table" role="group" aria-label="${(0,sanitize/* attributeText */.o$)(caption)}" tabindex="0"><table><caption>${(0,sanitize/* pageText */.xe)(caption)}</caption><thead><tr>${head}</tr></thead>
<tbody>${rows.map(row).join("\n")}</tbody></table></div>`;
}
function renderInline(inline) {
    if (typeof inline === "string")
        return prose(inline);
    switch (inline.kind) {
        case "name":
            return `<bdi>${(0,sanitize/* pageText */.xe)(inline.text)}</bdi>`;
        case "code":
            return `<code>${(0,sanitize/* pageText */.xe)(inline.text)}</code>`;
        case "link":
            return `<a href="${(0,sanitize/* attributeText */.o$)(inline.url)}">${htmlLine(inline.line)}</a>`;
        case "break":
            return "<br>";
        default:
            return `<${MARKS[inline.kind]}>${htmlLine(inline.line)}</${MARKS[inline.kind]}>`;
    }
}
/** Prose; text in backticks renders as code. */
function prose(text) {
    return text
        .split(/`([^`\n]+)`/)
        .map((part, index) => (index % 2 === 1 ? `<code>${(0,sanitize/* pageText */.xe)(part)}</code>` : (0,sanitize/* pageText */.xe)(part)))
        .join("");
}

// EXTERNAL MODULE: ./lib/report/sections/grades.js
var grades = __webpack_require__(9287);
// EXTERNAL MODULE: ./lib/report/sections/title-and-footer.js
var title_and_footer = __webpack_require__(1289);
// EXTERNAL MODULE: ./lib/report/shown-grade.js
var shown_grade = __webpack_require__(1137);
// EXTERNAL MODULE: ./lib/report/summary.js + 2 modules
var summary = __webpack_require__(5670);
// EXTERNAL MODULE: ./lib/results/score.js
var score = __webpack_require__(3956);
// EXTERNAL MODULE: ./lib/text/format.js
var format = __webpack_require__(3808);
// EXTERNAL MODULE: ./lib/text/hash.js
var text_hash = __webpack_require__(7591);
// EXTERNAL MODULE: ./lib/text/states.js
var text_states = __webpack_require__(6197);
;// CONCATENATED MODULE: ./lib/report/html.js
/**
 * The report as one HTML file that needs no network and no script: every grade with its prompt and all that the
 * judge saw. Its policy allows nothing but its own style and script, by their hashes.
 */













/** Characters of the readable part of an address. */
const LONGEST_SLUG = 60;
/** Maximum failed grades expanded at first; of those with the same reason only the first. */
const MOST_OPEN_GRADES = 20;
/** Characters of the reason in a grade's line. */
const LONGEST_LINE_REASON = 200;
/** The file in pieces. */
function* renderHtml(report, published) {
    const all = (0,shown_grade/* allShown */.NU)(report);
    const page = (0,summary/* wholePage */.PM)(published, addressOf);
    const { head, sections } = (0,summary/* fileSections */.j_)(report, page);
    yield `${documentHead(report)}<body><header><h1>${htmlLine((0,title_and_footer/* headline */.Pl)(report))}</h1>${html(head)}</header><main>`;
    if (all.length > 0)
        yield filters(all);
    yield `<div id="sections">${html(sections)}</div>`;
    if (all.length > 0)
        yield `<h2 id="grades">Every grade</h2>`;
    yield* tasks(all, report);
    yield systemMessages(all);
    yield `</main><footer>${html((0,title_and_footer/* footer */.qr)(report, page))}</footer>${all.length > 0 ? `<script>${SCRIPT}</script>` : ""}</body></html>\n`;
}
/** The anchor of a grade within the page: the same in every run. */
function addressOf(grade) {
    const hash = (0,text_hash/* sha256 */.s)(JSON.stringify([grade.grader, (0,score/* runKey */.r7)(grade)]));
    const slug = [grade.task, grade.grader, grade.run].join("-").toLowerCase().slice(0, LONGEST_SLUG);
    return `grade-${slug.replace(/[^a-z0-9]+/g, "-")}-${hash.slice(0, 12)}`;
}
function documentHead(report) {
    const sources = [
        "default-src 'none'",
        `style-src '${sourceHash(STYLE)}'`,
        `script-src '${sourceHash(SCRIPT)}'`,
        "base-uri 'none'",
        "form-action 'none'",
    ];
    return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${sources.join("; ")}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${(0,sanitize/* pageText */.xe)((0,title_and_footer/* titleOf */.Gg)(report).replaceAll("`", ""))}</title><style>${STYLE}</style></head>`;
}
/** The hash by which the page's policy allows a text of its own. */
function sourceHash(text) {
    return `sha256-${(0,external_node_crypto_.createHash)("sha256").update(text).digest("base64")}`;
}
/**
 * The way past the table; and what the script shows: a box for each state, advisory grades counted apart, the search, and a
 * choice of skill and of grader where there are several. While one of these two is in use the sections are hidden.
 */
function filters(all) {
    const states = Object.keys(text_states/* STATES */.xj);
    const boxes = states.flatMap((state) => {
        const those = all.filter((one) => one.state === state);
        if (those.length === 0)
            return [];
        const apart = those.filter(({ grade }) => grade.advisory === true).length;
        const number = those.length - apart;
        const also = apart === 0 ? "" : ` + ${(0,format/* formatNumber */.ZV)(apart)} advisory`;
        return `<label hidden><input type="checkbox" id="show-${state}" checked> ${text_states/* STATES */.xj[state].sign} ${(0,format/* formatNumber */.ZV)(number)} ${text_states/* STATES */.xj[state].word}${also}</label>`;
    });
    const choices = [
        choice("eval", new Set(all.map(({ grade }) => grade.suite))),
        choice("grader", new Set(all.map(({ grade }) => grade.grader))),
    ];
    return `<div class="filters" role="group" aria-label="Filters of the grades"><a href="#grades">Every grade</a>
${[...boxes, ...choices].join("\n")}
<input type="search" id="search" placeholder="Search ( / ), Esc clears" aria-label="Search grades and evidence" hidden>
<output id="found"></output></div>`;
}
/** A list to choose one of several names from; empty where there is no choice. */
function choice(what, names) {
    if (names.size < 2)
        return "";
    const options = [...names]
        .sort()
        .map((one) => `<option value="${(0,sanitize/* attributeText */.o$)(one)}">${(0,sanitize/* pageText */.xe)(one)}</option>`)
        .join("");
    return `<select data-of="${what}" aria-label="Show one ${what}" hidden><option value="">every ${what}</option>${options}</select>`;
}
/**
 * Grades by eval, task and run, what failed first: each task is a row that opens, and below the grades of a run is, once,
 * what their judges saw of it.
 */
function* tasks(all, report) {
    const isRed = ({ state }) => state === "failed";
    const redFirst = (some, red) => [...some].sort((a, b) => Number(red(b)) - Number(red(a)));
    const groups = (some, keyOf) => redFirst(Map.groupBy(some, ({ grade }) => keyOf(grade)).values(), (group) => group.some(isRed));
    const evals = groups(all, ({ suite }) => suite);
    let evidences = 0;
    const reasons = new Set();
    const runElement = (group, isOnly) => {
        // Grouped by content: advisory graders and other judges may have had the same.
        const sent = new Set(group.flatMap(({ grade }) => (grade.sent ? [grade.sent] : [])));
        const byWords = Map.groupBy(sent, (one) => JSON.stringify(seenParts(one)));
        const evidence = new Map();
        const seen = [...byWords.values()].map((same) => {
            evidences += 1;
            const id = `evidence-${String(evidences)}`;
            for (const one of same)
                evidence.set(one, id);
            return evidenceElement(same[0], id);
        });
        const elements = group.map((shown) => {
            // Equal reasons are read once.
            const open = isRed(shown) && !reasons.has(shown.reason) && reasons.size < MOST_OPEN_GRADES;
            if (open)
                reasons.add(shown.reason);
            const { grade } = shown;
            return gradeElement({ ...shown, evidence: evidence.get(grade.sent), open }, report);
        });
        const title = isOnly ? "" : `<p class="title">${(0,sanitize/* pageText */.xe)(group[0]?.label ?? "")}</p>`;
        return `<section class="run">${title}${[...elements, ...seen].join("\n")}</section>`;
    };
    for (const grades of evals) {
        const suite = grades[0]?.grade.suite ?? "";
        if (evals.length > 1)
            yield `<h3 data-eval="${(0,sanitize/* attributeText */.o$)(suite)}">${(0,sanitize/* pageText */.xe)(suite)}</h3>`;
        for (const task of groups(grades, row/* taskKey */.Do)) {
            const opened = reasons.size;
            const ofTask = groups(task, score/* runKey */.r7);
            const sections = ofTask.map((group) => runElement(redFirst(group, isRed), ofTask.length === 1));
            const open = reasons.size > opened ? " open" : "";
            yield `<details class="task" data-eval="${(0,sanitize/* attributeText */.o$)(suite)}"${open}><summary><b>${(0,sanitize/* pageText */.xe)(task[0]?.taskLabel ?? "")}</b> ${stateCounts(task)}</summary><div class="body">${sections.join("\n")}</div></details>\n`;
        }
    }
}
/** How many grades there are of each state: `✅ 3 ❌ 2`. */
function stateCounts(grades) {
    const byState = Map.groupBy(grades, ({ state }) => state);
    const states = Object.keys(text_states/* STATES */.xj);
    const counts = states.flatMap((state) => {
        const number = byState.get(state)?.length ?? 0;
        return number === 0
            ? []
            : `<small title="${text_states/* STATES */.xj[state].word}">${text_states/* STATES */.xj[state].sign} ${String(number)}</small>`;
    });
    return counts.join(" ");
}
function seenParts(sent) {
    return sent.filter(({ kind }) => kind !== "system");
}
/** The evidence sent to a judge. The system message, equal for every grade, is printed once, below. */
function evidenceElement(sent = [], id) {
    const parts = seenParts(sent);
    return `<details class="evidence"><summary>What the judge saw of this run</summary><div id="${id}" class="body">${parts.map(partElement).join("\n")}</div></details>`;
}
/** A message, a call or a section, in one element of text: a long page opens the sooner. */
function partElement({ kind, title, text }) {
    const words = text === "" ? "" : `\n${(0,sanitize/* pageText */.xe)(text)}`;
    return `<div class="part ${kind}"><b>${(0,sanitize/* pageText */.xe)(title)}</b>${words}</div>`;
}
/* One grade of the HTML report: a fold with all that is known of it. */
/** A grade as a <details> block. Its anchors are inside, so that a link opens it. */
function gradeElement(shown, report) {
    const { grade, state, sign, open } = shown;
    const score = (0,row/* hasVerdict */.aA)(grade) ? (0,format/* formatScore */.y)(grade.score) : "";
    const about = [score, grade.advisory && "advisory", shown.isNew && "newly failing", shown.before].filter(Boolean);
    const title = [`${sign} `, (0,tree/* bold */.Cr)({ kind: "name", text: grade.grader }), " ", (0,tree/* small */.EX)(about.join(" · "))];
    const why = shown.reason === "" ? "" : htmlLine([" — ", (0,format/* shorten */.ml)(shown.reason, LONGEST_LINE_REASON)]);
    return `<details class="grade ${state}" data-grader="${(0,sanitize/* attributeText */.o$)(grade.grader)}"${open ? " open" : ""}><summary title="${text_states/* STATES */.xj[state].word}">${htmlLine(title)}<span class="why">${why}</span></summary>
<div id="${addressOf(grade)}" class="body">${html([...(0,grades/* wholeGrade */.ZL)(shown, report), (0,grades/* graderLine */.Qj)(grade, report, gradeParts(shown))])}</div></details>`;
}
function gradeParts({ grade, evidence }) {
    const { requests, tokens, cost = 0, durationMs } = grade;
    return [
        ...(requests > 0 ? [[`${(0,format/* count */.U9)(requests, "request")} in ${(durationMs / 1_000).toFixed(1)} s`]] : []),
        ...(tokens.input > 0
            ? [[`${(0,format/* count */.U9)(tokens.input, "token")} in, ${(0,format/* count */.U9)(tokens.output, "token")} out`]]
            : []),
        ...(cost > 0 ? [[(0,format/* formatDollars */.nT)(cost)]] : []),
        ...(evidence === undefined ? [] : [(0,tree/* link */.nf)(["what the judge saw"], `#${evidence}`)]),
        (0,tree/* link */.nf)(["link to this grade"], `#${addressOf(grade)}`),
    ];
}
function systemMessages(all) {
    const texts = new Set(all.flatMap(({ grade: { sent = [] } }) => sent.flatMap(({ kind, text }) => (kind === "system" ? text : []))));
    if (texts.size === 0)
        return "";
    return `<details class="evidence"><summary>System message of every judge</summary><div class="body">${html([...texts].map((text) => ({ kind: "text", text })))}</div></details>`;
}
/* The style and the script of the HTML report. No rule of the style looks at the whole page: that took a quarter of its time. */
/** The script of the HTML report: the boxes, the search, and the choice of eval and grader. Without it everything can be read. */
const SCRIPT = `
"use strict";
const search = document.getElementById("search");
const found = document.getElementById("found");
const runs = [...document.querySelectorAll(".run")];
const tasks = [...document.querySelectorAll(".task")];
// Tasks that a search opens.
const MOST_OPENED = 20;
const all = [...document.querySelectorAll(".grade")];
const texts = new Map();
const textOf = (element) => {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
};
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const run of runs) {
    const grades = [...run.querySelectorAll(".grade")];
    const shared = [run.closest(".task").firstElementChild, ...run.querySelectorAll(".title,.evidence")];
    for (const grade of grades) {
      grade.hidden = !words.every((word) => [grade, ...shared].some((part) => textOf(part).includes(word)));
    }
  }
  showCount();
};
const choices = [...document.querySelectorAll(".filters select")];
const isChosen = (grade) =>
  choices.every(({ value, dataset: { of } }) => value === "" || grade.closest("[data-" + of + "]").dataset[of] === value);
const boxes = [...document.querySelectorAll(".filters input[type=checkbox]")];
// Read from the classes: asking the browser what is visible would lay out every run.
const isShown = (grade) =>
  !grade.hidden &&
  isChosen(grade) &&
  boxes.every((box) => box.checked || !grade.classList.contains(box.id.replace("show-", "")));
const showCount = () => {
  const isSearching = search.value.trim() !== "";
  const number = all.filter(isShown).length;
  const isChoosing = choices.some(({ value }) => value !== "");
  for (const grade of all) grade.classList.toggle("other", !isShown(grade));
  for (const part of [...runs, ...tasks])
    part.classList.toggle("empty", part.querySelector(".grade:not(.other)") === null);
  if (isSearching)
    for (const task of tasks.filter((one) => !one.classList.contains("empty")).slice(0, MOST_OPENED)) task.open = true;
  document.body.classList.toggle("searching", isSearching || isChoosing);
  found.textContent = isSearching || number < all.length ? number + (number === 1 ? " grade" : " grades") : "";
};
const clear = () => {
  search.value = "";
  for (const one of choices) one.value = "";
  filter();
};
// The browser opens what a link leads to; a filter that hides it ends.
const showTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  const grade = target && target.closest(".grade");
  if (!grade || isShown(grade)) return;
  for (const box of boxes) box.checked = true;
  clear();
  target.scrollIntoView();
};
let waiting;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, 150);
});
for (const box of [...boxes, ...choices]) box.addEventListener("change", showCount);
for (const one of [search, ...choices, ...document.querySelectorAll(".filters label")]) one.hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    clear();
    search.blur();
  } else if (event.key === "/" && event.target !== search) {
    event.preventDefault();
    search.focus();
  }
});
window.addEventListener("hashchange", showTarget);
`;
const STYLE = `
:root{color-scheme:light dark;scroll-padding-top:7rem;--line:light-dark(#d1d9e0,#3d444d);--soft:light-dark(#f6f8fa,#151b23);--grey:light-dark(#59636e,#9198a1);--red:light-dark(#cf222e,#f85149);--link:light-dark(#0969da,#4493f8)}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:70rem;background:light-dark(#fff,#0d1117);color:light-dark(#1f2328,#f0f6fc);font:16px/1.5 system-ui,"Segoe UI",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem}
h3{margin:.9rem 0 .3rem;font-size:.95rem}
.title{font-weight:600;font-size:.95rem;margin:.9rem 0 .3rem}
.body .title{font-size:.9rem;color:var(--grey)}
caption{text-align:left;color:var(--grey);font-size:.85rem;padding-bottom:.3rem}
p{margin:.4rem 0}
a{color:var(--link)}
details[open]>summary .why{display:none}
code{font:.85em ui-monospace,Consolas,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px}
.meta,small,.why{color:var(--grey);font-size:.85rem}
.filters{position:sticky;top:0;z-index:1;background:light-dark(#fff,#0d1117);display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;padding:.6rem 0;border-bottom:1px solid var(--line)}
select{font:inherit;font-size:.9rem;max-width:14rem;min-height:24px;background:var(--soft);color:inherit;border:1px solid var(--grey)}
#search{font:inherit;padding:.15rem .5rem;min-width:12rem;flex:1;background:var(--soft);color:inherit;border:1px solid var(--grey)}
#search::placeholder{color:var(--grey);opacity:1}
.table{overflow:auto;max-height:75vh}
thead th{position:sticky;top:0;background:var(--soft)}
table{border-collapse:collapse;font-size:.9rem}.table+.table{margin-top:.8rem}
th,td{vertical-align:top;border:1px solid var(--line);padding:.3rem .7rem;text-align:center;overflow-wrap:normal}
th[scope=row]{text-align:left;font-weight:400;min-width:min(10rem,25vw)}
th small{display:block}
td a{text-decoration:none;display:inline-block;min-width:24px;min-height:24px}
td.left{text-align:left}td.right{text-align:right}
.meta a,summary a,label{display:inline-block;min-height:24px}
label{line-height:24px}
.task>summary small{white-space:nowrap;margin-left:.4rem}
.task>.body{padding:0 .6rem .3rem}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
details.failed{border-left:4px solid var(--red)}
summary{cursor:pointer;padding:.35rem .7rem;border-radius:6px}
summary:focus-visible,a:focus-visible,input:focus-visible,select:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.body{padding:0 .9rem .6rem}
.body:target{background:light-dark(#fff8c5,#272115)}
.evidence>summary{color:var(--grey);font-size:.9rem}
ul{list-style:none;padding:0;margin:.4rem 0}
ul ul{padding-left:1.7rem}
li{margin:.4rem 0}
pre{margin:.2rem 0;padding:.7rem;background:var(--soft);border-radius:6px;font:.8rem/1.45 ui-monospace,Consolas,monospace;white-space:pre-wrap;max-height:40rem;overflow:auto}
.grade pre{max-height:20rem}
.part{white-space:pre-wrap;font-size:.9rem;margin:.5rem 0;padding:.3rem .7rem;border-left:3px solid var(--line)}
.part b{color:var(--grey);font-size:.8rem}
.user,.section{border-color:var(--link)}.part.assistant{background:var(--soft)}
.part.tool,.part.error{font:.8rem/1.45 ui-monospace,Consolas,monospace;margin-left:1.5rem}
[hidden]{display:none!important}
.empty,.other,.searching #sections,.searching h3[data-eval]{display:none}
@media (max-width:40rem){body{padding:.8rem}}
@media print{body{max-width:none;padding:0;background:#fff;color:#000;color-scheme:light}.filters{display:none}.grade pre,pre,.table{max-height:none;overflow:visible}thead th{position:static}.task::details-content,.grade::details-content{content-visibility:visible;block-size:auto}details{break-inside:auto}}
`;


/***/ })

};
