// Builds dist/: declarations by tsc, code by esbuild. Code is bundled with shared chunks, so that
// importing the package opens a handful of files instead of hundreds.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { keepPublicDeclarations } from "./public-declarations.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;

/** What users import; the command line is built beside it. */
const entries = [
  "src/index",
  "src/agents/index",
  "src/observability/index",
  "src/openapi/index",
  "src/testing/index",
  "src/tools/index",
  "jsx-runtime/jsx-runtime",
  "jsx-runtime/jsx-dev-runtime",
];

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: [...entries, "src/cli/main"].map((entry) => `${entry}.ts`),
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
});
chmodSync(`${dist}/src/cli/main.js`, 0o755);

const tsc = spawnSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}.ci/tsconfig.build.json`],
  {
    stdio: "inherit",
  },
);
process.exitCode = tsc.status ?? 1;
if (process.exitCode === 0) {
  keepPublicDeclarations(
    dist,
    entries.map((entry) => `${dist}/${entry}.d.ts`),
  );
}
