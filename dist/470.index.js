export const id = 470;
export const ids = [470];
export const modules = {

/***/ 5470:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderJunit: () => (/* binding */ renderJunit)
/* harmony export */ });
/* harmony import */ var fast_xml_builder__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9585);
/* harmony import */ var _domain_problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1591);
/* harmony import */ var _annotations_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1116);
/* harmony import */ var _safety_sanitize_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4459);
/* harmony import */ var _shown_grade_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1137);
/* harmony import */ var _results_rows_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1753);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3808);
/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error, and so is a missing one that fails the gate. Pure. */







/** Maximum characters of a case's name. */
const LONGEST_JUNIT_NAME = 300;
/** Maximum characters of a case's message, which is one line. */
const LONGEST_JUNIT_MESSAGE = 1_000;
/** Keys with `@` are attributes. The builder's default would write the attribute value "true" without `="true"`. */
const builder = new fast_xml_builder__WEBPACK_IMPORTED_MODULE_6__/* ["default"] */ .A({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    format: true,
});
/** The document, one `testsuite` per eval and one `testcase` per grade; times are in seconds. */
function renderJunit(report) {
    const bySuite = Map.groupBy((0,_shown_grade_js__WEBPACK_IMPORTED_MODULE_3__/* .shownGrades */ .yB)(report), ({ grade }) => grade.suite);
    const evals = report.scores.suites.map(({ suite, score }) => testSuite((0,_results_rows_js__WEBPACK_IMPORTED_MODULE_4__/* .suiteKey */ .aJ)(suite), (bySuite.get((0,_results_rows_js__WEBPACK_IMPORTED_MODULE_4__/* .suiteKey */ .aJ)(suite)) ?? []).map((shown) => caseOfGrade(shown, report.policy)), score));
    // Dashboards show only cases, so errors of files and inputs become some.
    const errors = report.problems.filter(_domain_problem_js__WEBPACK_IMPORTED_MODULE_0__/* .isError */ .bJ).map((problem) => caseOfProblem(problem, report.docs));
    const suites = [testSuite("configuration", errors), ...evals].filter(({ testcase }) => testcase.length > 0);
    // Jenkins' xUnit plugin refuses `skipped` on the root element.
    const { "@skipped": _skipped, ...totals } = counts(suites.flatMap(({ testcase }) => testcase));
    return builder.build({
        "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
        testsuites: { "@name": "waza-grade", ...totals, testsuite: suites },
    });
}
function testSuite(name, testcase, score) {
    const properties = score === undefined ? undefined : { property: { "@name": "score", "@value": (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .formatScore */ .y)(score, 4) } };
    return { "@name": xmlAttribute(name, LONGEST_JUNIT_NAME), ...counts(testcase), properties, testcase };
}
function counts(cases) {
    const having = (element) => String(cases.filter((one) => element in one).length);
    return {
        "@tests": String(cases.length),
        "@failures": having("failure"),
        "@errors": having("error"),
        "@skipped": having("skipped"),
        "@time": (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .sumOf */ .XN)(cases.map((one) => Number(one["@time"]))).toFixed(3),
    };
}
/** What has no verdict is an error where the policy fails for it, so that no red run has a green file. */
function caseOfGrade(shown, { onMissing, onError }) {
    const { suite, task, state, error, durationMs, advisory } = shown.grade;
    const named = {
        "@name": xmlAttribute(shown.name, LONGEST_JUNIT_NAME),
        "@classname": `${xmlAttribute(suite, LONGEST_JUNIT_NAME)}.${xmlAttribute(task, LONGEST_JUNIT_NAME)}`,
        "@time": (durationMs / 1_000).toFixed(3),
    };
    const text = (0,_safety_sanitize_js__WEBPACK_IMPORTED_MODULE_2__/* .xmlText */ .xK)((0,_annotations_js__WEBPACK_IMPORTED_MODULE_1__/* .gradeText */ .F)(shown));
    const content = { "@message": xmlAttribute(shown.reasonWithCheck, LONGEST_JUNIT_MESSAGE), "#text": text };
    if (state === "passed")
        return { ...named, "system-out": text };
    if (state === "failed")
        return { ...named, failure: { ...content, "@type": "failed-check" } };
    if (state === "errored")
        return { ...named, error: { ...content, "@type": error?.class ?? "internal" } };
    const isRed = state !== "skipped" && !advisory && (state === "missing" ? onMissing : onError) === "fail";
    return isRed ? { ...named, error: { ...content, "@type": state } } : { ...named, skipped: content };
}
function caseOfProblem(problem, docs) {
    const { at, message } = problem;
    const help = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .helpOf */ .ZL)(problem, docs);
    const text = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .withLocation */ .w4)(message, at);
    const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
    const error = {
        "@message": xmlAttribute(text, LONGEST_JUNIT_MESSAGE),
        "#text": (0,_safety_sanitize_js__WEBPACK_IMPORTED_MODULE_2__/* .xmlText */ .xK)(help === undefined ? text : `${text}\n${help}`),
        "@type": "configuration",
    };
    const classname = `configuration.${xmlAttribute(where, LONGEST_JUNIT_NAME)}`;
    return {
        "@name": xmlAttribute(message, LONGEST_JUNIT_NAME),
        "@classname": classname,
        "@time": "0.000",
        error,
    };
}
/** The text of an attribute. */
function xmlAttribute(text, most) {
    return (0,_safety_sanitize_js__WEBPACK_IMPORTED_MODULE_2__/* .xmlText */ .xK)((0,_safety_sanitize_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLineText */ .gs)(text, most));
}


/***/ })

};
