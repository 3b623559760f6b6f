export const id = 218;
export const ids = [218];
export const modules = {

/***/ 7837:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderJunit: () => (/* binding */ renderJunit)
});

// EXTERNAL MODULE: ./node_modules/fast-xml-builder/src/fxb.js + 6 modules
var fxb = __webpack_require__(9585);
// EXTERNAL MODULE: ./lib/text/format.js
var format = __webpack_require__(3808);
// EXTERNAL MODULE: ./lib/report/sanitize.js
var sanitize = __webpack_require__(8303);
// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(1116);
// EXTERNAL MODULE: ./lib/records/make-record.js
var make_record = __webpack_require__(8590);
// EXTERNAL MODULE: ./lib/text/problem.js
var problem = __webpack_require__(5572);
// EXTERNAL MODULE: ./lib/report/shown-grade.js
var shown_grade = __webpack_require__(3518);
;// CONCATENATED MODULE: ./lib/report/cases/report-cases.js





/** Maximum characters of a case's name. */
const NAME = 300;
/** Maximum characters of a case's message, which is one line. */
const MESSAGE = 1_000;
/** Suites with their cases; errors of files and inputs are a separate suite, since dashboards show only cases. */
function reportSuites(report) {
    const { scores, problems } = report;
    const bySuite = Map.groupBy((0,shown_grade/* shownGrades */.yB)(report), ({ grade }) => grade.job.suite);
    const suites = scores.suites.map(({ suite, score }) => {
        const cases = (bySuite.get(suite) ?? []).map(caseOf);
        return { name: (0,sanitize/* oneLineText */.gs)((0,make_record/* suiteKey */.aJ)(suite), NAME), score, cases };
    });
    const errors = problems.filter(problem/* isError */.bJ).map(problemCase);
    return [
        ...(errors.length > 0 ? [{ name: "configuration", cases: errors }] : []),
        ...suites.filter(({ cases }) => cases.length > 0),
    ];
}
function caseOf(shown) {
    const { grade, reasonWithCheck } = shown;
    const { job, verdict } = grade;
    const isPassed = verdict.state === "graded" && verdict.passed;
    return {
        task: (0,sanitize/* oneLineText */.gs)(job.task.id, NAME),
        name: (0,sanitize/* oneLineText */.gs)(shown.name, NAME),
        state: verdict.state === "graded" ? (isPassed ? "passed" : "failed") : verdict.state,
        message: isPassed ? "" : (0,sanitize/* oneLineText */.gs)(reasonWithCheck, MESSAGE),
        text: (0,annotations/* gradeText */.Fp)(shown),
        durationMs: grade.durationMs,
        grade,
    };
}
function problemCase(problem) {
    const { at } = problem;
    const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
    return {
        task: (0,sanitize/* oneLineText */.gs)(where, NAME),
        name: (0,sanitize/* oneLineText */.gs)(problem.message, NAME),
        state: "errored",
        message: (0,sanitize/* oneLineText */.gs)(problem.message, MESSAGE),
        text: (0,annotations/* problemText */.fI)(problem),
        durationMs: 0,
    };
}

;// CONCATENATED MODULE: ./lib/report/cases/junit.js
/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error. Pure. */




/** Keys with `@` are attributes. The builder's default would write the attribute value "true" without `="true"`. */
const builder = new fxb/* default */.A({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    format: true,
});
/** The document, one `testsuite` per eval and one `testcase` per grade; times are in seconds. */
function renderJunit(report) {
    const suites = reportSuites(report);
    // Jenkins' xUnit plugin refuses `skipped` on the root element.
    const { "@skipped": _skipped, ...totals } = counts(suites.flatMap((suite) => suite.cases));
    return builder.build({
        "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
        testsuites: { "@name": "waza-grade", ...totals, testsuite: suites.map(testSuite) },
    });
}
function testSuite({ name, score, cases }) {
    return {
        "@name": (0,sanitize/* xmlText */.xK)(name),
        ...counts(cases),
        properties: score === undefined ? undefined : property("score", (0,format/* formatScore */.y)(score, 4)),
        testcase: cases.map((one) => testCase(name, one)),
    };
}
function property(name, value) {
    return { property: { "@name": name, "@value": value } };
}
function counts(cases) {
    const of = (state) => String(cases.filter((one) => one.state === state).length);
    return {
        "@tests": String(cases.length),
        "@failures": of("failed"),
        "@errors": of("errored"),
        "@skipped": of("skipped"),
        "@time": seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    };
}
function testCase(suite, { task, name, state, message, text, durationMs, grade }) {
    const content = { "@message": (0,sanitize/* xmlText */.xK)(message), "#text": (0,sanitize/* xmlText */.xK)(text) };
    const errorClass = grade?.verdict.state === "errored" ? grade.verdict.error.class : "configuration";
    return {
        "@name": (0,sanitize/* xmlText */.xK)(name),
        "@classname": (0,sanitize/* xmlText */.xK)(`${suite}.${task}`),
        "@time": seconds(durationMs),
        ...(state === "skipped" ? { skipped: content } : {}),
        ...(state === "errored" ? { error: { ...content, "@type": errorClass } } : {}),
        ...(state === "failed" ? { failure: { ...content, "@type": "failed-check" } } : {}),
        ...(state === "passed" && text !== "" ? { "system-out": (0,sanitize/* xmlText */.xK)(text) } : {}),
    };
}
function seconds(milliseconds) {
    return (milliseconds / 1_000).toFixed(3);
}


/***/ })

};
