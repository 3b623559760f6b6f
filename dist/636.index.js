export const id = 636;
export const ids = [636];
export const modules = {

/***/ 9636:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderJunit: () => (/* binding */ renderJunit)
/* harmony export */ });
/* harmony import */ var fast_xml_builder__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9585);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3808);
/* harmony import */ var _neutralise_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(566);
/* harmony import */ var _report_cases_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1076);
/** The report as JUnit XML, as dashboards read it: failures are failed grades, errors are grades without a verdict. Pure. */




/** Attributes begin with `@` in the builder's data; one whose text is "true" has a value like any other. */
const builder = new fast_xml_builder__WEBPACK_IMPORTED_MODULE_3__/* ["default"] */ .A({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    format: true,
});
/** The document, one `testsuite` per eval and one `testcase` per grade; times are in seconds. */
function renderJunit(report) {
    const suites = (0,_report_cases_js__WEBPACK_IMPORTED_MODULE_2__/* .reportSuites */ .u)(report);
    // Jenkins' xUnit plugin refuses a file whose root counts the skipped ones.
    const { "@skipped": _skipped, ...whole } = figures(suites.flatMap((suite) => suite.cases));
    return builder.build({
        "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
        testsuites: { "@name": "waza-grade", ...whole, testsuite: suites.map(suiteElement) },
    });
}
function suiteElement({ name, score, cases }) {
    const property = { "@name": "score", "@value": score === undefined ? "" : (0,_text_format_js__WEBPACK_IMPORTED_MODULE_0__/* .formatScore */ .y)(score, 4) };
    return {
        "@name": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(name),
        ...figures(cases),
        properties: score === undefined ? undefined : { property },
        testcase: cases.map((one) => caseElement(name, one)),
    };
}
function figures(cases) {
    const of = (state) => String(cases.filter((one) => one.state === state).length);
    return {
        "@tests": String(cases.length),
        "@failures": of("failed"),
        "@errors": of("errored"),
        "@skipped": of("skipped"),
        "@time": seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    };
}
function caseElement(suite, { task, name, state, message, text, durationMs, grade }) {
    const said = { "@message": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(message), "#text": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(text) };
    const errorClass = grade?.verdict.state === "errored" ? grade.verdict.error.class : "configuration";
    return {
        "@name": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(name),
        "@classname": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(`${suite}.${task}`),
        "@time": seconds(durationMs),
        ...(state === "skipped" ? { skipped: said } : {}),
        ...(state === "errored" ? { error: { ...said, "@type": errorClass } } : {}),
        ...(state === "failed" ? { failure: { ...said, "@type": "failed-check" } } : {}),
        ...(state === "passed" && text !== "" ? { "system-out": (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_1__/* .xmlText */ .xK)(text) } : {}),
    };
}
function seconds(milliseconds) {
    return (milliseconds / 1_000).toFixed(3);
}


/***/ }),

/***/ 1076:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ reportSuites)
/* harmony export */ });
/* harmony import */ var _annotations_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1116);
/* harmony import */ var _records_make_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8590);
/* harmony import */ var _neutralise_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(566);
/* harmony import */ var _text_problem_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5572);
/* harmony import */ var _shown_grade_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1137);





/** Characters of a case's name and of what is said of it in one line. */
const NAME = 300;
const MESSAGE = 1_000;
/** Suites with their cases; errors of files and inputs are a suite of their own, since a dashboard shows nothing else. */
function reportSuites(report) {
    const { scores, problems } = report;
    const bySuite = Map.groupBy((0,_shown_grade_js__WEBPACK_IMPORTED_MODULE_3__/* .shownGrades */ .y)(report), ({ grade }) => grade.job.suite);
    const suites = scores.suites.map(({ suite, score }) => {
        const cases = (bySuite.get(suite) ?? []).map(caseOf);
        return { name: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)((0,_records_make_record_js__WEBPACK_IMPORTED_MODULE_1__/* .suiteKey */ .aJ)(suite), NAME), score, cases };
    });
    const errors = problems.filter(_text_problem_js__WEBPACK_IMPORTED_MODULE_4__/* .isError */ .bJ).map(problemCase);
    return [
        ...(errors.length > 0 ? [{ name: "configuration", cases: errors }] : []),
        ...suites.filter(({ cases }) => cases.length > 0),
    ];
}
function caseOf(shown) {
    const { grade, run, said } = shown;
    const { job, verdict } = grade;
    const isPassed = verdict.state === "graded" && verdict.passed;
    return {
        task: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(job.task.id, NAME),
        name: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(run === "" ? job.grader.name : `${job.grader.name} · ${run}`, NAME),
        state: verdict.state === "graded" ? (isPassed ? "passed" : "failed") : verdict.state,
        message: isPassed ? "" : (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(said, MESSAGE),
        text: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .gradeText */ .Fp)(shown),
        durationMs: grade.durationMs,
        grade,
        at: job.grader.at,
    };
}
function problemCase(problem) {
    const { at } = problem;
    const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
    return {
        task: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(where, NAME),
        name: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(problem.message, NAME),
        state: "errored",
        message: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(problem.message, MESSAGE),
        text: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .problemText */ .fI)(problem),
        durationMs: 0,
        at,
    };
}


/***/ })

};
