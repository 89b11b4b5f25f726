// Builds the operator's page into dist/console: everything that it needs, to be served as it is.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beginBuild } from "./built-sources.mjs";
import { sources } from "./sources.mjs";

/** What a view alone needs is a file of its own, loaded with the first look at it. */
export async function buildConsole(root) {
  rmSync(`${root}dist/console`, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: [{ in: "src/console/main.tsx", out: "console" }],
    outdir: "dist/console",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    alias: { "markdown-to-jsx/react": `${root}.ci/plain-text.mjs` },
    plugins: [sources(() => "")],
    logLevel: "warning",
  });
}

// By itself: after a change of the page only. The rest of dist/ is then of other sources.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  beginBuild();
  await buildConsole(fileURLToPath(new URL("..", import.meta.url)));
}
