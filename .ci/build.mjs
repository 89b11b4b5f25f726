// Builds dist/: declarations by tsc, code by esbuild. Code is bundled with shared chunks, so that
// importing the package opens a handful of files instead of hundreds.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beginBuild } from "./built-sources.mjs";
import { askForBuiltins } from "./builtin-imports.mjs";
import { buildConsole } from "./console.mjs";
import { makeLibraryScript } from "./library-script.mjs";
import { writeNewDatabase } from "./new-database.mjs";
import { keepPublicDeclarations } from "./public-declarations.mjs";
import { writeOutTypes } from "./written-out-types.mjs";
import { requireReact } from "./react-module.mjs";
import { sources } from "./sources.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;

/** What programs and pages elsewhere import: it runs in browsers, and shares nothing with the library. */
const clientEntries = ["src/client/index", "src/client/node", "src/react/index"];

/** What users import; the command line is built beside it. */
const entries = [
  "src/index",
  "src/agents/index",
  "src/hosts/gateway/index",
  "src/hosts/serve/index",
  "src/hosts/server/index",
  "src/memory/index",
  "src/observability/index",
  "src/openapi/index",
  "src/scorers/index",
  "src/testing/index",
  "src/tools/index",
  "jsx-runtime/jsx-runtime",
  "jsx-runtime/jsx-dev-runtime",
];

const building = beginBuild();
rmSync(dist, { recursive: true, force: true });
const options = {
  absWorkingDir: root,
  entryPoints: [...entries, "src/cli/main", "src/hosts/sandbox-main", "src/startup/compiled-script"].map(
    (entry) => `${entry}.ts`,
  ),
  outbase: ".",
  outdir: "dist",
  chunkNames: "src/chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  sourcemap: true,
  sourcesContent: false,
  jsx: "automatic",
  jsxImportSource: "treadle",
  logLevel: "warning",
  // The sources' own paths are not the package's: imports of the package by name stay imports.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  plugins: [sources(() => "")],
};

// Code that the same parts of the package reach becomes one chunk. Left alone, that makes a hundred small
// ones, and opening them costs more than running them: so whatever is loaded later, or apart, begins with
// the whole library, which makes the library one.
const library = `${root}src/index.ts`;
const { metafile } = await build({ ...options, write: false, metafile: true, sourcemap: false });
const later = new Set(Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []));
const alone = [
  "src/index.ts",
  "src/cli/main.ts",
  "src/startup/compiled-script.ts",
  "jsx-runtime/jsx-runtime.ts",
];
for (const path of alone) later.delete(path);
const built = await build({
  ...options,
  metafile: true,
  plugins: [
    sources((path) => (later.has(path.slice(root.length)) ? `\nimport ${JSON.stringify(library)};` : "")),
  ],
});
chmodSync(`${dist}/src/cli/main.js`, 0o755);
const holdLibrary = Object.entries(built.metafile.outputs).filter(
  ([, { inputs }]) => "src/index.ts" in inputs,
);
if (holdLibrary.length !== 1) throw new Error(`The library is in ${holdLibrary.length} chunks, not in one.`);
const [[chunk]] = holdLibrary;
const others = Object.keys(built.metafile.outputs)
  .filter((path) => path.endsWith(".js") && path !== chunk)
  .map((path) => `${root}${path}`);
requireReact(others, `${dist}/src/startup/react.js`);
await makeLibraryScript(`${root}${chunk}`, others);
await writeNewDatabase(root, `${dist}/src/chunks`);
await askForBuiltins([...others, `${dist}/src/chunks/library.js`]);
await build({
  ...options,
  entryPoints: clientEntries.map((entry) => `${entry}.ts`),
  chunkNames: "src/client/chunks/[name]-[hash]",
  platform: "neutral",
  target: "es2022",
});
await buildConsole(root);

const tsc = spawnSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}.ci/tsconfig.build.json`, "--checkers", "1"],
  {
    stdio: "inherit",
    // It collects its garbage less often.
    env: { ...process.env, GOGC: "400" },
  },
);
process.exitCode = tsc.status ?? 1;
if (process.exitCode === 0) {
  keepPublicDeclarations(
    dist,
    [...entries, ...clientEntries].map((entry) => `${dist}/${entry}.d.ts`),
  );
  writeOutTypes(root);
  building.end();
}
