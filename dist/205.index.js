export const id = 205;
export const ids = [205];
export const modules = {

/***/ 205:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderCtrf: () => (/* binding */ renderCtrf)
/* harmony export */ });
/* harmony import */ var _neutralise_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(566);
/* harmony import */ var _report_cases_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1076);


const SPEC_VERSION = "0.0.0";
const STATUS = { passed: "passed", failed: "failed", errored: "other", skipped: "skipped" };
/** The document as data; a grade without a verdict has the status `other`, so that it is no failure. */
function renderCtrf(report) {
    const suites = (0,_report_cases_js__WEBPACK_IMPORTED_MODULE_1__/* .reportSuites */ .u)(report);
    const cases = suites.flatMap((suite) => suite.cases);
    const of = (state) => cases.filter((one) => one.state === state).length;
    const { started, finished } = report.time;
    return {
        reportFormat: "CTRF",
        specVersion: SPEC_VERSION,
        generatedBy: "waza-grade",
        timestamp: new Date(finished).toISOString(),
        results: {
            tool: { name: "waza-grade" },
            summary: {
                tests: cases.length,
                passed: of("passed"),
                failed: of("failed"),
                skipped: of("skipped"),
                pending: 0,
                other: of("errored"),
                suites: suites.length,
                start: started,
                stop: finished,
                extra: { conclusion: report.conclusion.conclusion, score: report.scores.score ?? null },
            },
            tests: suites.flatMap(({ name, cases: own }) => own.map((one) => testOf(name, one))),
        },
    };
}
function testOf(suite, { task, name, state, message, text, durationMs, grade, at }) {
    return {
        name: `${name} · ${task}`,
        status: STATUS[state],
        rawStatus: state,
        duration: durationMs,
        suite: [suite, task],
        ...(message === "" ? {} : { message }),
        ...(text === "" ? {} : { trace: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_0__/* .plainText */ .wh)(text) }),
        ...(at?.inRepository ? { filePath: (0,_neutralise_js__WEBPACK_IMPORTED_MODULE_0__/* .plainText */ .wh)(at.path), line: at.startLine } : {}),
        ...(grade?.verdict.state === "graded" ? { extra: { score: grade.verdict.score } } : {}),
    };
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
