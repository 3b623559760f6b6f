// The entry of this action: dist/index.js serves both actions, and learns here which one runs.
globalThis.wazaGradeAction = "run";
await import("../dist/index.js");
