/** The style and the script of the HTML report. The states' boxes hide grades by the style alone. */
import { SIGNS } from "../text/states.ts";

/** The script of the HTML report: search, keys, and opening what a link leads to. Without it everything can be read. */
export const SCRIPT = `
"use strict";
const search = document.getElementById("search");
const found = document.getElementById("found");
const runs = [...document.querySelectorAll(".run")];
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
    const shared = [run.querySelector("h3"), ...run.querySelectorAll(".evidence")];
    for (const grade of grades) {
      grade.hidden = !words.every((word) => [grade, ...shared].some((part) => textOf(part).includes(word)));
    }
  }
  isSearching = words.length > 0;
  showCount();
};
const boxes = [...document.querySelectorAll(".filters input[type=checkbox]")];
// Read from the classes: asking the browser what is visible would lay out every run.
const isShown = (grade) =>
  !grade.hidden &&
  boxes.every((box) => {
    const name = box.id.replace(/^(?:show|only)-/, "");
    const has = grade.classList.contains(name);
    return box.id.startsWith("show-") ? box.checked || !has : !box.checked || has;
  });
let isSearching = false;
const showCount = () => {
  if (!found) return;
  const number = all.filter(isShown).length;
  for (const run of runs) run.classList.toggle("empty", ![...run.querySelectorAll(".grade")].some(isShown));
  found.textContent = isSearching || number < all.length ? number + (number === 1 ? " grade" : " grades") : "";
};
const openTarget = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.closest("details");
  if (!fold) return;
  fold.open = true;
  fold.hidden = false;
  for (const box of boxes)
    if (!isShown(fold) && fold.classList.contains("grade")) box.checked = box.id.startsWith("show-");
  showCount();
  // Runs that are drawn only now are higher than the room kept for them: it is looked for until it stays.
  let times = 0;
  const settle = () => {
    target.scrollIntoView();
    fold.querySelector("summary").focus({ preventScroll: true });
    times += 1;
    if (times < 10) requestAnimationFrame(settle);
  };
  settle();
};
const move = (by) => {
  const shown = all.filter(isShown);
  if (shown.length === 0) return;
  const at = shown.indexOf(document.activeElement.closest(".grade"));
  const last = shown.length - 1;
  const next = shown[at < 0 ? (by > 0 ? 0 : last) : Math.min(last, Math.max(0, at + by))];
  const summary = next.querySelector("summary");
  summary.focus({ preventScroll: true });
  summary.scrollIntoView({ block: "center" });
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
for (const box of boxes) box.addEventListener("change", showCount);
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

const hidden = Object.keys(SIGNS)
  .map((state) => `body:has(#show-${state}:not(:checked)) .grade.${state}`)
  .join(",");

export const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d1d9e0,#3d444d);--soft:light-dark(#f6f8fa,#151b23);--grey:light-dark(#59636e,#9198a1);--red:light-dark(#cf222e,#f85149);--link:light-dark(#0969da,#4493f8)}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:70rem;background:light-dark(#fff,#0d1117);color:light-dark(#1f2328,#f0f6fc);font:16px/1.5 system-ui,"Segoe UI",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem}
h3{margin:.9rem 0 .3rem;font-size:.95rem}
.run h3{font-size:1.05rem;margin:1.5rem 0 .4rem}
.body h3{font-size:.9rem;color:var(--grey);margin:.9rem 0 .3rem}
p{margin:.4rem 0}
a{color:var(--link)}
details[open]>summary .why{display:none}
code{font:.85em ui-monospace,Consolas,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px}
.meta,small,.why{color:var(--grey);font-size:.85rem}
.filters{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;padding:.6rem 0;border-bottom:1px solid var(--line)}
#search{font:inherit;padding:.15rem .5rem;min-width:12rem;flex:1}
.table{overflow:auto;max-height:75vh;scroll-margin-top:3.5rem}
thead th{position:sticky;top:0;background:var(--soft)}
table{border-collapse:collapse;font-size:.9rem}.table+.table{margin-top:.8rem}.sides{table-layout:fixed;width:100%}.sides th:first-child{width:5.5rem}.sides td{vertical-align:top;overflow-wrap:anywhere}
th,td{vertical-align:top;border:1px solid var(--line);padding:.3rem .7rem;text-align:center;overflow-wrap:normal}
th[scope=row]{text-align:left;font-weight:400;min-width:min(10rem,25vw)}
th small{display:block}
th mark,td>mark,p>mark{background:none;color:inherit;font-weight:700}
td a{text-decoration:none;display:inline-block;min-width:24px;min-height:24px}
td.left{text-align:left}td.right{text-align:right}
.meta a,summary a,label{display:inline-block;min-height:24px}
label{line-height:24px}
.run{content-visibility:auto;contain-intrinsic-size:auto 12rem}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
details.failed{border-left:4px solid var(--red)}
summary{cursor:pointer;padding:.35rem .7rem;border-radius:6px}
summary:focus-visible,a:focus-visible,input:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.body{padding:0 .9rem .6rem;scroll-margin-top:7rem}
.body:target{background:light-dark(#fff8c5,#272115)}
.evidence>summary{color:var(--grey);font-size:.9rem}
ul{list-style:none;padding:0;margin:.4rem 0}
ul ul{padding-left:1.7rem}
li{margin:.4rem 0}
blockquote{margin:.3rem 0;padding:0 .8rem;border-left:4px solid var(--line);color:var(--grey)}
mark{background:light-dark(#fff8c5,#bb800966);color:light-dark(#1f2328,#f0f6fc)}
pre{margin:.2rem 0;padding:.7rem;background:var(--soft);border-radius:6px;font:.8rem/1.45 ui-monospace,Consolas,monospace;white-space:pre-wrap;max-height:40rem;overflow:auto}
.grade pre{max-height:20rem}.grade pre:has(mark){max-height:none}
.part{white-space:pre-wrap;font-size:.9rem;margin:.5rem 0;padding:.3rem .7rem;border-left:3px solid var(--line)}
.part b{color:var(--grey);font-size:.8rem}
.user,.section{border-color:var(--link)}.part.assistant{background:var(--soft)}
.part.tool,.part.error{font:.8rem/1.45 ui-monospace,Consolas,monospace;margin-left:1.5rem}
kbd{font:.75rem ui-monospace,Consolas,monospace;border:1px solid var(--line);border-radius:4px;padding:0 .3rem}
[hidden]{display:none!important}
.run.empty,body:has(#only-new:checked) .grade:not(.new),body:has(#only-flaky:checked) .grade:not(.flaky),${hidden}{display:none}
@media (max-width:40rem){body{padding:.8rem}#keys{display:none}}
@media print{body{max-width:none;padding:0;background:#fff;color:#000;color-scheme:light}.filters{display:none}.grade pre,pre,.table{max-height:none;overflow:visible}thead th{position:static}.run{content-visibility:visible}.grade::details-content{content-visibility:visible;block-size:auto}details{break-inside:auto}}
`;
