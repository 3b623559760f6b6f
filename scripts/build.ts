// Builds dist/: esbuild bundles src/index.ts in readable chunks, with the licenses of what is in them, and the built-in
// rubrics are copied beside it. Same sources, same bytes.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Metafile, Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/**
 * The toolkit's modules do nothing when they are loaded, though their packages do not say so. Told, the bundler leaves
 * out those that nothing uses: the HTTP client for OpenID tokens, with all of undici, and the runner of commands.
 */
const toolkit: Plugin = {
  name: "toolkit-without-side-effects",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === toolkit || !from.importer.includes("/node_modules/@actions/")) return undefined;
      const found = await bundler.resolve(path, { ...from, pluginData: toolkit });
      return { ...found, sideEffects: false };
    });
  },
};

/** The packages that have bytes in the bundle, as folders below the root. */
function bundled({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = inputs.flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(root, folder, file), "utf8").trim();
  return `${name} ${version}\n${license}\n${text}`.trim();
}

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  charset: "utf8",
  chunkNames: "[name]-[hash]",
  // Packages of CommonJS ask for Node's own modules by `require`, which modules do not have.
  banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);\n' },
  plugins: [toolkit],
  metafile: true,
  logLevel: "warning",
});
writeFileSync(join(dist, "package.json"), '{\n  "type": "module"\n}\n');
writeFileSync(join(dist, "licenses.txt"), `${bundled(metafile).map(licenseOf).join("\n\n")}\n`);
cpSync(join(root, "src", "waza", "rubrics"), join(dist, "rubrics"), { recursive: true });
