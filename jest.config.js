/** ESM throughout: types are stripped by Node's own stripTypeScriptTypes, so what is tested is what is built. */
export default {
  testEnvironment: "node",
  roots: ["<rootDir>/__tests__"],
  testMatch: ["**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/scripts/jest-strip-types.js" },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  coverageProvider: "babel",
  maxWorkers: 2,
  testTimeout: 30_000,
};
