// Builds dist/: declarations by tsc, code by esbuild. Code is bundled with shared chunks, so that
// importing the package opens a handful of files instead of hundreds.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { keepPublicDeclarations } from "./public-declarations.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;

/** What users import; the command line is built beside it. */
const entries = [
  "src/index",
  "src/agents/index",
  "src/hosts/gateway/index",
  "src/hosts/serve/index",
  "src/hosts/server/index",
  "src/observability/index",
  "src/openapi/index",
  "src/testing/index",
  "src/tools/index",
  "jsx-runtime/jsx-runtime",
  "jsx-runtime/jsx-dev-runtime",
];

rmSync(dist, { recursive: true, force: true });
const options = {
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
};

// Code that the same parts of the package reach becomes one chunk. Left alone, that makes a hundred small
// ones, and opening them costs more than running them: so whatever is loaded later, or apart, begins with
// the whole library, which makes the library one.
const library = `${root}src/index.ts`;
const { metafile } = await build({ ...options, write: false, metafile: true, sourcemap: false });
const later = new Set(Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []));
for (const alone of ["src/index.ts", "src/cli/main.ts", "jsx-runtime/jsx-runtime.ts"]) later.delete(alone);
await build({
  ...options,
  plugins: [
    {
      name: "the library first",
      setup({ onLoad }) {
        onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
          if (!later.has(path.slice(root.length))) return undefined;
          const contents = `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(library)};`;
          return { contents, loader: extname(path).slice(1) };
        });
      },
    },
  ],
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
