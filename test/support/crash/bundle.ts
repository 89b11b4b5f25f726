import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Started hundreds of times: what its first process has compiled is kept for the others. No top-level `await`. */
const OFTEN_STARTED = "driver.ts";

/** A folder with the compiled programs of this suite; `remove` deletes it with everything in it. */
export interface Workshop {
  readonly folder: string;
  /** Path of a compiled program. */
  readonly program: string;
  remove(): void;
}

/**
 * Compiles one program together with the library and most
 * packages, so that its processes start fast. The others are found through a link.
 */
export async function openWorkshop(
  source:
    | typeof OFTEN_STARTED
    | "contender.tsx"
    | "many-runs.tsx"
    | "neighbours.tsx"
    | "supervisor.ts"
    | "../fleet/program.tsx"
    | "../engine/plain-program.tsx"
    | "../engine/poisoned-program.tsx"
    | "../engine/limited-program.tsx",
): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-crash-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  const program = join(folder, "program.mjs");
  if (source === OFTEN_STARTED) {
    const script = join(folder, "script.cjs");
    // One expression, which makes a function: the form of a script whose code can be kept.
    await build({
      ...optionsFor(join(HERE, source), script),
      format: "cjs",
      define: { ...DEFINES, "import.meta.url": "__url" },
      banner: { js: "(function (require, module, exports, __url) {" },
      footer: { js: "})" },
    });
    await build(optionsFor(join(HERE, "kept-script.ts"), program));
  } else await build(optionsFor(join(HERE, source), program));
  return { folder, program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const DEFINES = { "process.env.NODE_ENV": '"production"' };

function optionsFor(entry: string, outfile: string): BuildOptions {
  return {
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    external: [
      "better-sqlite3",
      "pg",
      "graphile-worker",
      "@electric-sql/pglite",
      "esbuild",
      "react",
      "react-reconciler",
    ],
    define: DEFINES,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    jsx: "automatic",
    jsxImportSource: "treadle",
    alias: {
      "treadle/jsx-runtime": join(ROOT, "jsx-runtime/jsx-runtime.ts"),
      "treadle/jsx-dev-runtime": join(ROOT, "jsx-runtime/jsx-dev-runtime.ts"),
    },
    logLevel: "silent",
  };
}
