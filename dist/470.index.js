export const id = 470;
export const ids = [470];
export const modules = {

/***/ 5470:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderJunit: () => (/* binding */ renderJunit),
/* harmony export */   reportSuites: () => (/* binding */ reportSuites)
/* harmony export */ });
/* harmony import */ var fast_xml_builder__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9585);
/* harmony import */ var _annotations_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1116);
/* harmony import */ var _sanitize_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8303);
/* harmony import */ var _shown_grade_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1137);
/* harmony import */ var _results_records_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6344);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3808);
/* harmony import */ var _text_problem_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5572);
/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error. Pure. */







/** Keys with `@` are attributes. The builder's default would write the attribute value "true" without `="true"`. */
const builder = new fast_xml_builder__WEBPACK_IMPORTED_MODULE_6__/* ["default"] */ .A({
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
/* The report as test cases, one for each grade, for the formats of test dashboards. Pure. */
/** Maximum characters of a case's name. */
const NAME = 300;
/** Suites with their cases; errors of files and inputs are a separate suite, since dashboards show only cases. */
function reportSuites(report) {
    const { scores, problems } = report;
    const bySuite = Map.groupBy((0,_shown_grade_js__WEBPACK_IMPORTED_MODULE_2__/* .shownGrades */ .yB)(report), ({ grade }) => grade.job.suite);
    const suites = scores.suites.map(({ suite, score }) => {
        const cases = (bySuite.get(suite) ?? []).map(caseOf);
        return { name: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)((0,_results_records_js__WEBPACK_IMPORTED_MODULE_3__/* .suiteKey */ .aJ)(suite), NAME), score, cases };
    });
    const errors = problems.filter(_text_problem_js__WEBPACK_IMPORTED_MODULE_5__/* .isError */ .bJ).map(problemCase);
    return [
        ...(errors.length > 0 ? [{ name: "configuration", cases: errors }] : []),
        ...suites.filter(({ cases }) => cases.length > 0),
    ];
}
/** Maximum characters of a case's message, which is one line. */
const MESSAGE = 1_000;
function caseOf(shown) {
    const { grade, reasonWithCheck } = shown;
    const { job, verdict } = grade;
    const isPassed = verdict.state === "graded" && verdict.passed;
    return {
        task: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(job.task.id, NAME),
        name: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(shown.name, NAME),
        state: verdict.state === "graded" ? (isPassed ? "passed" : "failed") : verdict.state,
        message: isPassed ? "" : (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(reasonWithCheck, MESSAGE),
        text: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .gradeText */ .Fp)(shown),
        durationMs: grade.durationMs,
        grade,
    };
}
function problemCase(problem) {
    const { at } = problem;
    const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
    return {
        task: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(where, NAME),
        name: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(problem.message, NAME),
        state: "errored",
        message: (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLineText */ .gs)(problem.message, MESSAGE),
        text: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .problemText */ .fI)(problem),
        durationMs: 0,
    };
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
function seconds(milliseconds) {
    return (milliseconds / 1_000).toFixed(3);
}
function testSuite({ name, score, cases }) {
    return {
        "@name": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(name),
        ...counts(cases),
        properties: score === undefined ? undefined : property("score", (0,_text_format_js__WEBPACK_IMPORTED_MODULE_4__/* .formatScore */ .y)(score, 4)),
        testcase: cases.map((one) => testCase(name, one)),
    };
}
function property(name, value) {
    return { property: { "@name": name, "@value": value } };
}
function testCase(suite, { task, name, state, message, text, durationMs, grade }) {
    const content = { "@message": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(message), "#text": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(text) };
    const errorClass = grade?.verdict.state === "errored" ? grade.verdict.error.class : "configuration";
    return {
        "@name": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(name),
        "@classname": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(`${suite}.${task}`),
        "@time": seconds(durationMs),
        ...(state === "skipped" ? { skipped: content } : {}),
        ...(state === "errored" ? { error: { ...content, "@type": errorClass } } : {}),
        ...(state === "failed" ? { failure: { ...content, "@type": "failed-check" } } : {}),
        ...(state === "passed" && text !== "" ? { "system-out": (0,_sanitize_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(text) } : {}),
    };
}


/***/ })

};
