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
