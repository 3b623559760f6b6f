const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);


// src/format.ts
function formatScore(score, digits = 2) {
  const text = score.toFixed(digits);
  return score < 1 && Number(text) === 1 ? (1 - 10 ** -digits).toFixed(digits) : text;
}
function formatMinimum(minimum) {
  const given = String(minimum);
  return given.length < 4 || given.includes("e") ? minimum.toFixed(2) : given;
}
function formatAgainst(score, minimum) {
  if (minimum === void 0 || score >= minimum) return formatScore(score);
  for (let digits = 2; digits < 16; digits += 1) {
    if (Number(score.toFixed(digits)) < minimum) return score.toFixed(digits);
  }
  return String(score);
}
function formatNumber(number) {
  return String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
function count(number, noun, plural = `${noun}s`) {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}
function formatDollars(dollars) {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 1e-4 ? "under $0.0001" : `$${dollars.toFixed(4)}`;
}
function shorten(text, limit) {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
function listed(names) {
  const shown = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${shown} and ${String(names.length - 10)} more` : shown;
}

// src/report/neutralise.ts
var TERMINAL = /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[\u001B\u009B]\[?[0-?]*[ -/]*[@-~]?/g;
var CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
var REORDERING = /[\u202A-\u202E\u2066-\u2069\uFEFF]/g;
var LOG_LINE = 4e3;
var CODE = 300;
var ZERO_WIDTH = "​";
var BLOCK_WIDTH = 110;
var LINK_STARTS = /(?:https?|ftp):(?=\/\/)|www(?=\.)/gi;
function plainText(text) {
  return text.toWellFormed().replace(TERMINAL, "").replace(/\r\n?/g, "\n").replace(CONTROL, "�").replace(REORDERING, "");
}
function oneLineText(text, limit) {
  return shorten(oneLine(text), limit);
}
function xmlText(text) {
  return plainText(text).replace(/[\uFFFE\uFFFF]/g, "�");
}
function logLine(text) {
  return plainText(shorten(text, LOG_LINE)).replace(/[\n\u2028\u2029]/g, " ⏎ ").replace(/##\[/g, `##${ZERO_WIDTH}[`).replace(/^(\s*):(?=:)/, `$1:${ZERO_WIDTH}`);
}
function markdownText(text) {
  return breakReferences(
    plainText(text).replace(/\s*\n\s*/g, " ").trim()
  ).replace(/&(?=#?\w+;)/g, "&amp;").replace(/[\\`*[\]|~]/g, "\\$&").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_").replace(/\$/g, "<span>$</span>").replace(LINK_STARTS, `$&${ZERO_WIDTH}`).replace(/^([-+]|#{1,6})(?=\s|$)/, "\\$1").replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2").replace(/^([-=])(?=[-=\s]*$)/, "\\$1");
}
function markdownProse(text) {
  return text.split(/(`[^`\n]+`)/).map((part) => /^`[^`\n]+`$/.test(part) ? markdownCode(part.slice(1, -1)) : spaced(part)).join("");
}
function oneLine(text) {
  const lines = plainText(text).split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
function spaced(part) {
  if (part.trim() === "") return part === "" ? "" : " ";
  const before = part.length > part.trimStart().length ? " " : "";
  const after = part.length > part.trimEnd().length ? " " : "";
  return `${before}${markdownText(part)}${after}`;
}
function markdownCode(text) {
  const line = oneLine(shorten(text, CODE));
  if (/^[^`|\\]+$/.test(line)) return `\`${line}\``;
  return `<code>${markdownText(line) || " "}</code>`;
}
function htmlText(text) {
  return breakReferences(oneLine(text)).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/\$/g, "<span>$</span>").replace(LINK_STARTS, `$&${ZERO_WIDTH}`);
}
function markdownBlock(text, indent = "") {
  const content = wrap(plainText(text));
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, ...content.split("\n"), fence].map((line) => `${indent}${line}`).join("\n");
}
function wrap(text) {
  const line = new RegExp(`(.{1,${String(BLOCK_WIDTH)}})(?: +(?=\\S)|$)`, "g");
  return text.split("\n").map((long) => long.length <= BLOCK_WIDTH ? long : long.replace(line, "$1\n").replace(/\n$/, "")).join("\n");
}
function breakReferences(text) {
  return text.replace(/@(?=[\p{L}\p{N}_-])/gu, `@${ZERO_WIDTH}`).replace(/(#|\bGH-)(?=\d)/gi, `$1${ZERO_WIDTH}`).replace(
    /\b[0-9a-f]{7,64}\b/gi,
    (hex) => /\d/.test(hex) && /[a-f]/i.test(hex) ? hex.replace(/.{6}(?=.)/g, `$&${ZERO_WIDTH}`) : hex
  );
}
function urlPath(path) {
  return path.split("/").map((part) => encodeURIComponent(part.toWellFormed())).join("/").replace(/[()'*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

// src/report/limits.ts
var CHECK_SUMMARY_BYTES = 65535;
var ANNOTATIONS_PER_REQUEST = 50;
var ANNOTATION_BYTES = 64e3;
var ANNOTATION_TITLE_CHARACTERS = 255;
var COMMENT_CHARACTERS = 65536;
var JOB_SUMMARY_BYTES = 1048576;
var JOB_ANNOTATIONS_PER_LEVEL = 10;
var JOB_ANNOTATION_CHARACTERS = 4096;
function byteLength(text) {
  return Buffer.byteLength(text, "utf8");
}
function cutBytes(text, limit, note = "…") {
  if (byteLength(text) <= limit) return text;
  const room = Math.max(0, limit - byteLength(note));
  const cut = Buffer.from(text, "utf8").subarray(0, room).toString("utf8").replace(/\uFFFD+$/, "");
  return `${cut}${note}`;
}

// src/report/annotations.ts
var EXCERPT = 2e3;
var ORDER = { failure: 0, warning: 1, notice: 2 };
function buildAnnotations(report) {
  const several = new Set(report.results.map(({ model }) => model)).size > 1;
  const grades = report.scores.suites.flatMap(
    ({ tasks }) => tasks.flatMap(
      ({ runs, model }) => runs.flatMap((run) => run.grades.map((grade) => ofGrade(grade, run, several ? model : "")))
    )
  );
  const all = [...report.problems.map(ofProblem), ...grades].map(withinLimits);
  return all.sort((a, b) => ORDER[a.level] - ORDER[b.level]);
}
function worstOf(annotations, most) {
  if (annotations.length <= most) return annotations;
  const left = annotations.slice(most - 1);
  const worst = left[0]?.level ?? "notice";
  const counts = ["failure", "warning", "notice"].flatMap((level) => {
    const number = left.filter((one) => one.level === level).length;
    return number === 0 ? [] : [count(number, level)];
  });
  const message = `${count(left.length, "more annotation")} (${counts.join(", ")}) would be over \`max-annotations\` (${String(most)}). All grades are in the job summary.`;
  return [
    ...annotations.slice(0, most - 1),
    { level: worst, title: `${count(left.length, "more annotation")} in the job summary`, message }
  ];
}
function problemText({ message, help }) {
  return plainText(help === void 0 ? message : `${message}
${help}`);
}
function ofProblem(problem) {
  const { at } = problem;
  return {
    ...at?.inRepository ? { at: { ...at, endLine: at.startLine } } : {},
    level: problem.level === "error" ? "failure" : problem.level,
    title: problem.level === "error" ? "Configuration problem" : "waza-grade",
    message: problemText(problem)
  };
}
function ofGrade(grade, run, model) {
  const { job } = grade;
  const output = job.run?.finalOutput.trim() ?? "";
  return {
    ...job.grader.at.inRepository ? { at: job.grader.at } : {},
    level: levelOf(grade),
    title: [job.grader.name, job.task.id, ...runLabel(job, run, model)].join(" · "),
    message: gradeText(grade),
    ...output === "" ? {} : { details: `Final output of the agent:

${excerpt(output)}` }
  };
}
function gradeText(grade) {
  return plainText([messageOfGrade(grade), ...rubricLine(grade.job)].join("\n"));
}
function runLabel({ run }, { number }, model) {
  return run ? [`run ${String(number)}`, ...model === "" ? [] : [model]] : [];
}
function rubricLine({ grader }) {
  return grader.rubric ? [`Rubric: ${rubricLabel(grader.rubric)}`] : [];
}
function rubricLabel({ name, version, source }) {
  return `${name} ${version} (${source})`;
}
function excerpt(text) {
  return text.length > EXCERPT ? `${shorten(text, EXCERPT)}
(${count(text.length, "character")} in all)` : text;
}
function levelOf({ verdict }) {
  if (verdict.state !== "graded") return "warning";
  if (!verdict.passed) return "failure";
  return verdict.incomplete || verdict.warning !== void 0 ? "warning" : "notice";
}
function messageOfGrade({ verdict }) {
  if (verdict.state === "skipped") return `Skipped: ${verdict.reason}`;
  if (verdict.state === "errored") return erroredText(verdict);
  const checks = checksOnce(verdict);
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  const tally = verdict.votes ? votesText(verdict.votes) : `${String(passes)} of ${count(checks.length, "check")} passed`;
  const lines = [`${verdict.passed ? "Passed" : "Failed"}, score ${formatScore(verdict.score)}: ${tally}.`];
  if (verdict.note !== void 0) lines[0] = `Failed, score ${formatScore(verdict.score)}: ${verdict.note}`;
  lines.push(...failuresFirst(checks).map(checkLine));
  if (verdict.note !== void 0 && verdict.response !== void 0)
    lines.push(`It said: ${shorten(verdict.response, 500)}`);
  if (verdict.warning !== void 0) lines.push(verdict.warning);
  lines.push(...seenLines(verdict.evidence));
  if (verdict.incomplete)
    lines.push(`Incomplete, there may be more checks: ${sentences(verdict.incomplete)}`);
  return lines.join("\n");
}
function erroredText({ error, checks = [] }) {
  const lines = [`Errored, not graded (${error.class}): ${sentences(error)}`];
  if (checks.length > 0)
    lines.push("Reported before the judge broke off, and not counted:", ...checks.map(checkLine));
  return lines.join("\n");
}
function checksOnce({ checks, votes }) {
  if (!votes) return checks;
  const seen = /* @__PURE__ */ new Map();
  for (const check of checks) {
    const key = JSON.stringify([check.outcome, check.description ?? check.reason]);
    if (!seen.has(key)) seen.set(key, check);
  }
  return [...seen.values()];
}
function votesText({ passed, failed, errored }) {
  const [side, many] = passed > failed ? ["green", passed] : ["red", failed];
  const errors = errored > 0 ? `, ${String(errored)} errored` : "";
  return `${side} in ${String(many)} of ${count(passed + failed + errored, "vote")}${errors}`;
}
function seenLines(evidence) {
  const size = `${count(evidence?.characters ?? 0, "character")}, ${count(evidence?.toolCalls ?? 0, "tool call")}`;
  return [
    ...evidence?.replayed ? ["Reconstructed session: the judge was shown the run's conversation, turn by turn."] : [],
    ...evidence?.elided ? [`The judge saw a shortened run (${size}).`] : []
  ];
}
function sentences({ message, help }) {
  return help === void 0 ? message : `${message} ${help}`;
}
function failuresFirst(checks) {
  return [
    ...checks.filter(({ outcome }) => outcome === "fail"),
    ...checks.filter(({ outcome }) => outcome === "pass")
  ];
}
function checkLine({ outcome, description, reason }) {
  const what = [description, reason].filter((part) => part !== void 0).join(": ");
  return `${outcome === "pass" ? "✓ pass" : "✗ fail"}: ${what || "(the judge gave no detail)"}`;
}
function withinLimits(annotation) {
  const title = shorten(plainText(annotation.title).replace(/\s+/g, " ").trim(), ANNOTATION_TITLE_CHARACTERS);
  const message = cutBytes(
    plainText(annotation.message),
    ANNOTATION_BYTES,
    "… (cut; the rest is in the job summary)"
  );
  const details = annotation.details === void 0 ? {} : { details: cutBytes(plainText(annotation.details), ANNOTATION_BYTES) };
  return { ...annotation, title, message, ...details };
}

export {
  formatScore,
  formatMinimum,
  formatAgainst,
  formatNumber,
  count,
  formatDollars,
  shorten,
  listed,
  CHECK_SUMMARY_BYTES,
  ANNOTATIONS_PER_REQUEST,
  COMMENT_CHARACTERS,
  JOB_SUMMARY_BYTES,
  JOB_ANNOTATIONS_PER_LEVEL,
  JOB_ANNOTATION_CHARACTERS,
  byteLength,
  plainText,
  oneLineText,
  xmlText,
  logLine,
  markdownText,
  markdownProse,
  markdownCode,
  htmlText,
  markdownBlock,
  urlPath,
  buildAnnotations,
  worstOf,
  problemText,
  gradeText,
  rubricLabel,
  checksOnce,
  votesText,
  failuresFirst
};
