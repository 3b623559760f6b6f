export const id = 661;
export const ids = [661];
export const modules = {

/***/ 8661:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderHtml: () => (/* binding */ renderHtml)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/compare/comparison-sentence.js
var comparison_sentence = __webpack_require__(1506);
// EXTERNAL MODULE: ./lib/format.js
var format = __webpack_require__(2016);
// EXTERNAL MODULE: ./lib/gate/run-problems.js
var run_problems = __webpack_require__(1051);
// EXTERNAL MODULE: ./lib/once.js
var once = __webpack_require__(4986);
// EXTERNAL MODULE: ./lib/states.js
var lib_states = __webpack_require__(8757);
// EXTERNAL MODULE: ./lib/version.js
var version = __webpack_require__(3411);
// EXTERNAL MODULE: ./lib/report/neutralise.js
var neutralise = __webpack_require__(566);
// EXTERNAL MODULE: ./lib/report/summary/comparison.js
var summary_comparison = __webpack_require__(6408);
// EXTERNAL MODULE: ./lib/report/summary/foot.js
var foot = __webpack_require__(9493);
// EXTERNAL MODULE: ./lib/report/summary/head.js
var head = __webpack_require__(2691);
// EXTERNAL MODULE: ./lib/report/summary/names.js
var names = __webpack_require__(5977);
// EXTERNAL MODULE: ./lib/report/title.js
var title = __webpack_require__(7964);
// EXTERNAL MODULE: ./lib/labels/agreement.js
var labels_agreement = __webpack_require__(3851);
// EXTERNAL MODULE: ./lib/report/summary/agreement.js
var summary_agreement = __webpack_require__(2193);
;// CONCATENATED MODULE: ./lib/report/html/elements.js
/** What the parts of the HTML report are made of; everything that others wrote goes through `pageText`. */


/** Characters of the readable part of an address. */
const SLUG = 60;
/** An element of one text. */
function elements_element(tag, text, name = "") {
    return `<${tag}${name === "" ? "" : ` class="${name}"`}>${prose(text)}</${tag}>`;
}
/** A text in which pairs of backticks are shown as code. */
function prose(text) {
    return text
        .split(/(`[^`\n]+`)/)
        .map((part) => /^`[^`\n]+`$/.test(part) ? `<code>${(0,neutralise/* pageText */.xe)(part.slice(1, -1))}</code>` : (0,neutralise/* pageText */.xe)(part))
        .join("");
}
/** A text as it stands, in lines; its first line end would be lost otherwise. */
function block(text) {
    return `<pre>\n${(0,neutralise/* pageText */.xe)(text)}</pre>`;
}
/** A link within the page or to a page of GitHub. */
function elements_link(text, address) {
    return `<a href="${(0,neutralise/* attributeText */.o$)(address)}">${(0,neutralise/* pageText */.xe)(text)}</a>`;
}
/** The addresses of grades within the page: the same in every run, and no two alike. */
function addresses(grades) {
    const taken = new Map();
    return new Map(grades.map((grade) => {
        const address = addressOf(grade);
        const times = (taken.get(address) ?? 0) + 1;
        taken.set(address, times);
        return [grade, times === 1 ? address : `${address}-${String(times)}`];
    }));
}
function addressOf({ job }) {
    const { suite, task, grader, run, missing } = job;
    const { number = 1, model = "" } = run ?? missing ?? {};
    const parts = [task.id, grader.name, String(number)];
    const hash = (0,external_node_crypto_.createHash)("sha256").update(JSON.stringify([suite.at.path, model, ...parts]));
    const slug = parts.join("-").toLowerCase().slice(0, SLUG);
    return `grade-${slug.replace(/[^a-z0-9]+/g, "-")}-${hash.digest("hex").slice(0, 6)}`;
}
/** `eval.yaml:18`, as a link to the grader's lines where there is a page for them. */
function graderLink({ job }, { sourceUrl }) {
    const { at } = job.grader;
    const text = `${at.path}:${String(at.startLine)}`;
    if (sourceUrl === undefined || !at.inRepository)
        return (0,neutralise/* pageText */.xe)(text);
    return elements_link(text, `${sourceUrl}/${(0,neutralise/* urlPath */.Lx)(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}`);
}

;// CONCATENATED MODULE: ./lib/report/html/agreement.js






const REASON = 2_000;
/** A row for all and for each grader, then every disagreement, and labels of grades without a verdict; empty without labels. */
function agreementElement({ agreement }) {
    if (!agreement || !(0,labels_agreement/* hasLabels */.cP)(agreement))
        return "";
    const { graders, disagreements, uncounted } = agreement;
    const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
    const nameOf = ({ suite, grader, advisory }) => `${suites ? `${grader} · ${suite}` : grader}${advisory ? " (advisory, not in all)" : ""}`;
    const rows = [
        row("all", (0,summary_agreement/* figureCells */.w6)(agreement)),
        ...graders.map((one) => row(nameOf(one), (0,summary_agreement/* figureCells */.w6)(one))),
    ];
    return `<h2>Is the judge right?</h2>
<div class="table"><table><thead><tr>${summary_agreement/* AGREEMENT_HEADS */.xF.map((head) => `<th scope="col">${(0,neutralise/* pageText */.xe)(head)}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>
${elements_element("p", summary_agreement/* AGREEMENT_LEGEND */.n9, "meta")}
${list((0,format/* count */.U9)(disagreements.length, "disagreement"), disagreements)}
${list(`${(0,format/* count */.U9)(uncounted.length, "label")} of grades without a judge's verdict, not counted`, uncounted)}`;
}
function row(name, cells) {
    return `<tr><th scope="row">${(0,neutralise/* pageText */.xe)(name)}</th>${cells.map((cell) => `<td>${(0,neutralise/* pageText */.xe)(cell)}</td>`).join("")}</tr>`;
}
function list(title, some) {
    if (some.length === 0)
        return "";
    return `${elements_element("h4", title)}<ul class="checks">${some.map(item).join("\n")}</ul>`;
}
function item({ label, grade }) {
    const { suite, grader, task, model, run, reason, state } = grade;
    const place = [grader, task, `run ${String(run)}`, suite, model].filter((part) => part !== "").join(" · ");
    const judge = state !== "graded" || grade.settled === true ? "no verdict" : verdict(grade.passed);
    return `<li>${elements_element("b", place)}<br>${said("the judge", judge, reason)}<br>${said("the person", verdict(label.passed), label.note)}</li>`;
}
function said(who, what, why) {
    return prose(`${who}: ${what}${why ? `: ${(0,format/* shorten */.ml)(why, REASON)}` : ""}`);
}
function verdict(passed) {
    return passed ? `${lib_states/* SIGNS */.B2.passed} passed` : `${lib_states/* SIGNS */.B2.failed} failed`;
}

// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(1116);
// EXTERNAL MODULE: ./lib/report/summary/grade.js
var summary_grade = __webpack_require__(3750);
// EXTERNAL MODULE: ./lib/report/summary/passage.js
var passage = __webpack_require__(9597);
;// CONCATENATED MODULE: ./lib/report/html/grade.js







/** Characters of the reason in a grade's line. */
const LINE_REASON = 200;
/** A grade as a fold; what is addressed is inside of it, so that a link to it opens it. */
function gradeElement({ grade, address, evidence, open }, report) {
    const { job, verdict } = grade;
    const state = (0,lib_states/* stateOf */.L4)(grade);
    const score = verdict.state === "graded" ? (0,format/* formatScore */.y)(verdict.score) : "";
    const why = whyOf(grade);
    const summary = [
        lib_states/* SIGNS */.B2[state],
        elements_element("b", job.grader.name),
        elements_element("small", `${score}${job.advisory ? " · advisory" : ""}`),
        why === "" ? "" : elements_element("span", (0,format/* shorten */.ml)(why, LINE_REASON), "why"),
    ];
    const links = [
        ...(evidence === undefined ? [] : [elements_link("what the judge saw", `#${evidence}`)]),
        elements_link("link to this grade", `#${address}`),
    ];
    const meta = `<p class="meta">${[...about(grade, report), ...links].join(" · ")}</p>`;
    const body = [...verdictParts(grade), ...asked(grade), meta];
    return `<details class="grade ${state}"${open ? " open" : ""}><summary title="${lib_states/* WORDS */.q9[state]}">${summary.join(" ")}</summary>
<div id="${address}" class="body">${body.join("\n")}</div></details>`;
}
function whyOf(grade) {
    const { verdict } = grade;
    if (verdict.state === "skipped")
        return verdict.reason;
    if (verdict.state === "errored")
        return verdict.error.message;
    return verdict.passed ? (verdict.warning ?? "") : (0,summary_grade/* reasonOf */.A3)(verdict);
}
function verdictParts({ job, verdict }) {
    if (verdict.state === "skipped")
        return [elements_element("p", verdict.reason)];
    if (verdict.state === "errored") {
        const { error, checks = [], response } = verdict;
        return [
            elements_element("p", (0,format/* errorLine */.BP)(error)),
            ...(checks.length === 0
                ? []
                : [elements_element("p", "Reported before the judge broke off, and not counted:"), checkList(checks, "")]),
            ...written(response),
        ];
    }
    const { note, warning, incomplete, votes } = verdict;
    return [
        ...(note === undefined ? [] : [elements_element("p", note)]),
        ...(votes ? [elements_element("p", votesLine(verdict))] : []),
        ...(verdict.checks.length === 0
            ? []
            : [checkList((0,annotations/* failuresFirst */.Cq)((0,annotations/* checksOnce */.zj)(verdict)), job.run?.finalOutput ?? "")]),
        ...(warning === undefined ? [] : [elements_element("p", `${lib_states/* SIGNS */.B2.doubtful} ${warning}`)]),
        ...(incomplete ? [elements_element("p", `${lib_states/* SIGNS */.B2.doubtful} Incomplete: ${(0,format/* errorLine */.BP)(incomplete)}`)] : []),
        ...written(verdict.response),
    ];
}
function votesLine({ votes }) {
    if (!votes)
        return "";
    const { passed, failed, errored } = votes;
    return `Votes: ${(0,lib_states/* votesText */.nD)(votes)} (${String(passed)} passed, ${String(failed)} failed, ${String(errored)} without a verdict). The calls are those of all of them.`;
}
function checkList(checks, answer) {
    return `<ul class="checks">${checks.map((check) => checkItem(check, answer)).join("\n")}</ul>`;
}
function checkItem({ outcome, description, reason }, answer) {
    const parts = [
        ...(description === undefined ? [] : [elements_element("b", description)]),
        ...(reason === undefined ? [] : [description === undefined ? prose(reason) : elements_element("span", reason)]),
    ];
    const found = outcome === "fail" ? (0,passage/* passageOf */.E)(answer, reason) : undefined;
    const quote = found
        ? `<blockquote>${(0,neutralise/* pageText */.xe)(found.before)}<mark>${(0,neutralise/* pageText */.xe)(found.quoted)}</mark>${(0,neutralise/* pageText */.xe)(found.after)}</blockquote>`
        : "";
    return `<li>${lib_states/* CHECK_SIGNS */.y7[outcome]} ${parts.join("") || lib_states/* NO_DETAIL */.QG}${quote}</li>`;
}
function written(response) {
    return response === undefined
        ? []
        : [elements_element("h4", "What the judge wrote beside its calls"), block(response)];
}
/** What the agent was asked, where the evidence does not say it, and what the judge was. */
function asked({ job, shown }) {
    const prompt = job.run?.prompt ?? job.task.prompt ?? "";
    const { grader } = job;
    const told = (title, text) => text.trim() === "" ? [] : [elements_element("h4", title), block(text.trim())];
    return [
        ...(shown ? [] : told("What the agent was asked", prompt)),
        ...(shown ? [] : told("What the agent answered", job.run?.finalOutput ?? "")),
        ...told("The rubric the judge was given", grader.rubric?.instructions ?? ""),
        ...told("What the judge was asked", grader.prompt),
    ];
}
function about(grade, report) {
    const { job, verdict, requests, tokens, cost = 0, durationMs } = grade;
    const { evidence, judge, recorded } = verdict.state === "graded" ? verdict : {};
    return [
        graderLink(grade, report),
        ...(job.grader.weight === 1 ? [] : [`weight ${String(job.grader.weight)}`]),
        ...(job.grader.rubric ? [`rubric ${(0,neutralise/* pageText */.xe)((0,annotations/* rubricLabel */.yD)(job.grader.rubric))}`] : []),
        ...(job.settled ? [] : [`judge ${(0,neutralise/* pageText */.xe)(job.judgeModel)}`]),
        ...(judge?.servedBy === undefined ? [] : [`answered by ${(0,neutralise/* pageText */.xe)(judge.servedBy)}`]),
        ...(judge?.changes ?? []).map(neutralise/* pageText */.xe),
        ...(evidence ? [(0,summary_grade/* shownText */.f$)(evidence)] : []),
        ...(evidence?.reads ? [`it read files ${(0,format/* count */.U9)(evidence.reads, "time")}`] : []),
        ...(recorded ? ["from the record"] : []),
        ...(requests > 0 ? [`${(0,format/* count */.U9)(requests, "request")} in ${(durationMs / 1_000).toFixed(1)} s`] : []),
        ...(tokens.input > 0 ? [`${(0,format/* count */.U9)(tokens.input, "token")} in, ${(0,format/* count */.U9)(tokens.output, "token")} out`] : []),
        ...(cost > 0 ? [(0,format/* formatDollars */.nT)(cost)] : []),
    ];
}

;// CONCATENATED MODULE: ./lib/report/html/script.js
/** The script of the HTML report: search, keys, and opening what a link leads to. Without it everything can be read. */
const SCRIPT = `
"use strict";
const search = document.getElementById("search");
const found = document.getElementById("found");
const runs = [...document.querySelectorAll(".run")];
const texts = new Map();
const textOf = (element) => {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
};
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let number = 0;
  for (const run of runs) {
    const grades = [...run.querySelectorAll(".grade")];
    const shared = [run.querySelector("h2"), ...run.querySelectorAll(".evidence")];
    for (const grade of grades) {
      grade.hidden = !words.every((word) => [grade, ...shared].some((part) => textOf(part).includes(word)));
      if (!grade.hidden) number += 1;
    }
    run.hidden = grades.every((grade) => grade.hidden);
  }
  found.textContent = words.length === 0 ? "" : number + (number === 1 ? " grade" : " grades");
};
const openTarget = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.closest("details");
  if (!fold) return;
  fold.open = true;
  fold.hidden = false;
  fold.closest(".run")?.removeAttribute("hidden");
  const box = document.getElementById("show-" + fold.classList[1]);
  if (box) box.checked = true;
  target.scrollIntoView();
  fold.querySelector("summary").focus({ preventScroll: true });
};
const move = (by) => {
  const all = [...document.querySelectorAll(".grade > summary")].filter((one) => one.checkVisibility());
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next.focus();
  next.scrollIntoView({ block: "center" });
};
if (search) {
  search.hidden = false;
  document.getElementById("keys").hidden = false;
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && search) {
    search.value = "";
    filter();
    search.blur();
  } else if (event.target === search) return;
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
  }
});
window.addEventListener("hashchange", openTarget);
openTarget();
`;

;// CONCATENATED MODULE: ./lib/report/html/style.js
/** The style of the HTML report. The states' boxes hide grades by it alone. */

const style_hidden = Object.keys(lib_states/* SIGNS */.B2)
    .map((state) => `body:has(#show-${state}:not(:checked)) .grade.${state}`)
    .join(",");
const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d1d9e0,#3d444d);--soft:light-dark(#f6f8fa,#151b23);--grey:light-dark(#59636e,#9198a1);--red:light-dark(#cf222e,#f85149);--link:light-dark(#0969da,#4493f8)}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:70rem;background:light-dark(#fff,#0d1117);color:light-dark(#1f2328,#f0f6fc);font:16px/1.5 system-ui,"Segoe UI",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem}
h4{margin:.9rem 0 .3rem;font-size:.9rem;color:var(--grey)}
p{margin:.4rem 0}
a{color:var(--link)}
details[open]>summary .why{display:none}
code{font:.85em ui-monospace,Consolas,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px}
.meta,small,.why{color:var(--grey);font-size:.85rem}
.filters{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;padding:.6rem 0;background:inherit;border-bottom:1px solid var(--line)}
header{display:contents}
.filters{z-index:1;background:light-dark(#fff,#0d1117)}
#search{font:inherit;padding:.15rem .5rem;min-width:12rem;flex:1}
.table{overflow:auto;max-height:75vh;scroll-margin-top:7rem}
thead th{position:sticky;top:0;background:var(--soft)}
table{border-collapse:collapse;font-size:.9rem}
th,td{border:1px solid var(--line);padding:.3rem .7rem;text-align:center;overflow-wrap:normal}
th[scope=row]{text-align:left;font-weight:400;min-width:min(15rem,40vw)}
th small{display:block}
tr.red th,tr.red td:last-child{font-weight:700}
td a{text-decoration:none}
.run{content-visibility:auto;contain-intrinsic-size:auto 12rem}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
details.failed{border-left:4px solid var(--red)}
summary{cursor:pointer;padding:.35rem .7rem;border-radius:6px}
summary:focus-visible,a:focus-visible,input:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.body{padding:0 .9rem .6rem;scroll-margin-top:7rem}
.body:target{background:light-dark(#fff8c5,#272115)}
.evidence>summary{color:var(--grey);font-size:.9rem}
ul.checks{list-style:none;padding:0;margin:.4rem 0}
ul.checks li{margin:.4rem 0;padding-left:1.7rem;text-indent:-1.7rem}
ul.checks li>*{text-indent:0}ul.checks li>span{display:block}
blockquote{margin:.3rem 0;padding:0 .8rem;border-left:4px solid var(--line);color:var(--grey);text-indent:0}
mark{background:light-dark(#fff8c5,#bb800966);color:light-dark(#1f2328,#f0f6fc)}
pre{margin:.2rem 0;padding:.7rem;background:var(--soft);border-radius:6px;font:.8rem/1.45 ui-monospace,Consolas,monospace;white-space:pre-wrap;max-height:40rem;overflow:auto}
.grade pre{max-height:20rem}
kbd{font:.75rem ui-monospace,Consolas,monospace;border:1px solid var(--line);border-radius:4px;padding:0 .3rem}
[hidden]{display:none!important}
${style_hidden}{display:none}
@media (max-width:40rem){body{padding:.8rem}.filters{position:static}#keys{display:none}.body{scroll-margin-top:1rem}}
@media print{body{max-width:none;padding:0;background:#fff;color:#000;color-scheme:light}.filters{display:none}.grade pre,pre,.table{max-height:none;overflow:visible}thead th{position:static}.run{content-visibility:visible}.grade::details-content{content-visibility:visible;block-size:auto}details{break-inside:auto}}
`;

// EXTERNAL MODULE: ./lib/all-grades.js
var all_grades = __webpack_require__(2821);
// EXTERNAL MODULE: ./lib/report/summary/tables.js
var tables = __webpack_require__(5492);
;// CONCATENATED MODULE: ./lib/report/html/tables.js
/** Per suite, a table of tasks and graders whose marks lead to their grades. */






/** The tables of all suites with grades; after them those of advisory graders, which have no score. */
function suiteTables({ scores, advisory }, address) {
    const others = advisory?.scores.suites ?? [];
    return [
        ...scores.suites.map((suite) => suiteTable(suite, false, address)),
        ...others.map((suite) => suiteTable(suite, true, address)),
    ].join("\n");
}
function suiteTable(suite, isAdvisory, address) {
    if (suite.tasks.length === 0)
        return "";
    const weights = new Map((0,all_grades/* allGrades */.G)(suite).map(({ job }) => [job.grader.name, job.grader.weight]));
    const heads = [...weights].map(([name, weight]) => `${name}${weight === 1 ? "" : ` ×${String(weight)}`}`);
    const several = new Set(suite.tasks.map(({ model }) => model)).size > 1;
    const inOrder = [...suite.tasks.filter(tables/* hasFailed */.W), ...suite.tasks.filter((task) => !(0,tables/* hasFailed */.W)(task))];
    const rows = inOrder.map((task) => {
        const cells = [...weights.keys()].map((name) => {
            const own = (0,all_grades/* allGrades */.G)(task).filter(({ job }) => job.grader.name === name);
            return `<td>${own.map((grade) => mark(grade, address)).join("")}</td>`;
        });
        const score = task.score === undefined ? "–" : (0,format/* formatScore */.y)(task.score);
        const model = several ? ` ${elements_element("small", task.model)}` : "";
        return `<tr${(0,tables/* hasFailed */.W)(task) ? ' class="red"' : ""}><th scope="row">${(0,neutralise/* pageText */.xe)(task.taskId)}${model}</th>${cells.join("")}${isAdvisory ? "" : `<td>${score}</td>`}</tr>`;
    });
    const score = suite.score === undefined ? "" : ` · score ${(0,format/* formatScore */.y)(suite.score)}`;
    const columns = ["Task", ...heads, ...(isAdvisory ? [] : ["Score"])];
    return `<h2>${(0,neutralise/* pageText */.xe)(`${suite.suite.title}${isAdvisory ? " · advisory" : score}`)}</h2>
<div class="table"><table><thead><tr>${columns.map((head) => `<th scope="col">${(0,neutralise/* pageText */.xe)(head)}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}
function mark(grade, address) {
    const state = (0,lib_states/* stateOf */.L4)(grade);
    return `<a href="#${address.get(grade) ?? ""}" title="${lib_states/* WORDS */.q9[state]}">${lib_states/* SIGNS */.B2[state]}</a>`;
}

;// CONCATENATED MODULE: ./lib/report/html/page.js
/**
 * The report as one HTML file that needs no network and no script: every grade with what was asked and all that the
 * judge saw. Its policy allows nothing but its own style and script, by their hashes.
 */



















/** Failed grades that are open to begin with. */
const OPEN = 20;
/** The file in pieces. */
function* renderHtml(report, published) {
    const advisory = report.advisory ? (0,names/* shownGrades */.y)({ ...report, scores: report.advisory.scores }) : [];
    const all = [...(0,names/* shownGrades */.y)(report), ...advisory];
    const address = addresses(all.map(({ grade }) => grade));
    yield `${headOf(report)}<body><header>${introduction(report, published)}${filters(all)}</header><main>`;
    yield problems(report);
    yield suiteTables(report, address);
    yield agreementElement(report);
    yield* runs(all, report, address);
    yield systemMessages(all);
    yield `</main><footer>${footOf(report, published)}</footer><script>${SCRIPT}</script></body></html>\n`;
}
function headOf(report) {
    const sources = [
        "default-src 'none'",
        `style-src '${hashOf(STYLE)}'`,
        `script-src '${hashOf(SCRIPT)}'`,
        "base-uri 'none'",
        "form-action 'none'",
    ];
    return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${sources.join("; ")}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${(0,neutralise/* pageText */.xe)((0,title/* titleOf */.G)(report).replaceAll("`", ""))}</title><style>${STYLE}</style></head>`;
}
function hashOf(text) {
    return `sha256-${(0,external_node_crypto_.createHash)("sha256").update(text).digest("base64")}`;
}
function introduction(report, published) {
    const { comparison } = report;
    return [
        `<h1>${(0,head/* signOf */.rL)(report)} ${prose((0,title/* titleOf */.G)(report))}</h1>`,
        report.scores.counts.planned === 0 ? "" : `<p class="bar">${(0,head/* bar */.M0)(report)}</p>`,
        comparison ? elements_element("p", comparisonText(comparison)) : "",
        `<p class="meta">${originParts(report, published).join(" · ")}</p>`,
    ].join("\n");
}
function comparisonText(comparison) {
    const movement = (0,summary_comparison/* movementOf */.Ri)(comparison);
    return `${movement === "" ? "" : `${movement} against the baseline. `}${(0,comparison_sentence/* comparisonSentence */.nX)(comparison)}`;
}
function originParts({ origin }, { checkRunUrl }) {
    return [
        ...(origin?.commit ? [`commit ${elements_link(origin.commit.sha.slice(0, 7), origin.commit.url)}`] : []),
        ...(origin?.run ? [elements_link(`run #${origin.run.number}`, origin.run.url)] : []),
        ...(checkRunUrl === undefined ? [] : [elements_link("check run", checkRunUrl)]),
    ];
}
/** A box for each state, advisory grades counted apart, which the style alone obeys, and the search, which the script shows. */
function filters(all) {
    const states = Object.keys(lib_states/* SIGNS */.B2);
    const boxes = states.flatMap((state) => {
        const those = all.filter(({ grade }) => (0,lib_states/* stateOf */.L4)(grade) === state);
        if (those.length === 0)
            return [];
        const apart = those.filter(({ grade }) => grade.job.advisory === true).length;
        const number = those.length - apart;
        const also = apart === 0 ? "" : ` + ${String(apart)} advisory`;
        return [
            `<label><input type="checkbox" id="show-${state}" checked> ${lib_states/* SIGNS */.B2[state]} ${String(number)} ${lib_states/* WORDS */.q9[state]}${also}</label>`,
        ];
    });
    if (boxes.length === 0)
        return "";
    return `<div class="filters" role="group" aria-label="Filters">${boxes.join("\n")}
<input type="search" id="search" placeholder="Search ( / )" aria-label="Search grades and evidence" hidden>
<output id="found"></output><small id="keys" hidden><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>Enter</kbd> opens · <kbd>/</kbd> searches · <kbd>Esc</kbd> clears</small></div>`;
}
function problems(report) {
    const items = [...(0,run_problems/* runProblems */.e)(report), ...report.problems].map((problem) => {
        const sign = problem.level === "error" ? lib_states/* SIGNS */.B2.failed : problem.level === "warning" ? lib_states/* SIGNS */.B2.doubtful : "ℹ️";
        return `<li>${sign} ${prose((0,format/* problemLine */.YK)(problem))}</li>`;
    });
    return items.length === 0 ? "" : `<h2>Problems</h2><ul class="checks">${items.join("\n")}</ul>`;
}
/** Grades by run, those of a run with failures first; below them, once, what their judges saw of it. */
function* runs(all, report, address) {
    const groups = [...Map.groupBy(all, ({ grade }) => grade.job.run ?? grade.job.missing).values()];
    const isRed = ({ grade }) => (0,lib_states/* stateOf */.L4)(grade) === "failed";
    const inOrder = [
        ...groups.filter((group) => group.some(isRed)),
        ...groups.filter((group) => !group.some(isRed)),
    ];
    let evidences = 0;
    let open = 0;
    for (const group of inOrder) {
        // By what it says: advisory graders and other judges may have been shown the same.
        const ids = new Map();
        const evidence = new Map();
        const seen = [];
        for (const { grade } of group) {
            if (!grade.shown || evidence.has(grade.shown))
                continue;
            const id = (0,once/* once */.O)(ids, JSON.stringify(seenMessages(grade.shown)), () => {
                evidences += 1;
                seen.push(evidenceElement(grade.shown, `evidence-${String(evidences)}`));
                return `evidence-${String(evidences)}`;
            });
            evidence.set(grade.shown, id);
        }
        const grades = group.map((one) => {
            if (isRed(one))
                open += 1;
            return gradeElement({
                ...one,
                address: address.get(one.grade) ?? "",
                evidence: evidence.get(one.grade.shown),
                open: isRed(one) && open <= OPEN,
            }, report);
        });
        yield `<section class="run"><h2>${(0,neutralise/* pageText */.xe)(group[0]?.label ?? "")}</h2>${[...grades, ...seen].join("\n")}</section>\n`;
    }
}
/** The messages before the grader's instructions but the first, which is the same for every grade and told once. */
function evidenceElement(shown = [], id) {
    const messages = seenMessages(shown);
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
    const several = messages.length > 1;
    const parts = messages.map(({ role, content }) => `${several ? elements_element("h4", role) : ""}${block(content)}`);
    return `<details class="evidence"><summary>What the judge saw of this run: ${(0,format/* count */.U9)(characters, "character")}</summary><div id="${id}" class="body">${parts.join("\n")}</div></details>`;
}
function seenMessages(shown) {
    return shown.filter(({ role }) => role !== "system");
}
function systemMessages(all) {
    const texts = new Set(all.flatMap(({ grade: { shown = [] } }) => shown.flatMap(({ role, content }) => (role === "system" ? content : []))));
    if (texts.size === 0)
        return "";
    return `<details class="evidence"><summary>What every judge is told first</summary><div class="body">${[...texts].map(block).join("\n")}</div></details>`;
}
function footOf(report, published) {
    const { results, redactions, scores } = report;
    const took = [...(0,foot/* tookParts */.y)(report), `waza-grade ${version/* VERSION */.x}`].map(neutralise/* pageText */.xe);
    const score = scores.score === undefined ? [] : [`score ${(0,format/* formatScore */.y)(scores.score, 4)}`];
    const agents = results.map(({ path, model, timestamp }) => `agent ${model}${timestamp === undefined ? "" : `, run on ${timestamp}`} (${path})`);
    const hidden = `${(0,format/* count */.U9)(redactions, "text")} held what looks like a secret, shown as [redacted]`;
    const lines = [...agents, ...(redactions === 0 ? [] : [hidden])].map(neutralise/* pageText */.xe);
    return [[...originParts(report, published), ...score, ...took].join(" · "), ...lines]
        .map((line) => `<p class="meta">${line}</p>`)
        .join("\n");
}


/***/ })

};
