/** ESM throughout: types are stripped by Node's own stripTypeScriptTypes, so what is tested is what is built. */
export default {
  testEnvironment: "node",
  // With the sources, so that `--findRelatedTests` and `-o` know which tests a change touches.
  roots: ["<rootDir>/__tests__", "<rootDir>/src"],
  testMatch: ["**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/scripts/jest-strip-types.js" },
  setupFilesAfterEnv: ["<rootDir>/__tests__/support/equal.ts"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  coverageProvider: "babel",
  // One more than the cores of a small machine: tests of retries wait for most of their time.
  maxWorkers: 3,
  // Modules of finished files stay in memory: a worker of 900 MB takes longer to exit than the 0.5 s that jest waits.
  workerIdleMemoryLimit: "600MB",
  // Only what hangs reaches it: the slowest test takes seconds, on a slow machine tens of them.
  testTimeout: 600_000,
};
