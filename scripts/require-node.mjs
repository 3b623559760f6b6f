// Scripts and tests run on Node 24, which npm ci puts into node_modules/.bin on Linux.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `waza-grade needs Node 24 or newer to build and test; this is Node ${process.versions.node}. ` +
      "On Linux (x64, arm64) `npm ci` brings it along; elsewhere install Node 24 first.",
  );
  process.exit(1);
}
