import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

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
    | "driver.ts"
    | "contender.tsx"
    | "many-runs.tsx"
    | "supervisor.ts"
    | "../engine/plain-program.tsx"
    | "../engine/poisoned-program.tsx"
    | "../engine/limited-program.tsx",
): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-crash-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  const program = join(folder, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    external: ["better-sqlite3", "esbuild", "react", "react-reconciler"],
    define: { "process.env.NODE_ENV": '"production"' },
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
  });
  return { folder, program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
