import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A program of the tests, from its path under the repository, as one file that node runs by itself. */
export async function compileProgram(source: string, folder: string): Promise<string> {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [join(ROOT, source)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "treadle",
    alias: { "treadle/jsx-runtime": join(ROOT, "jsx-runtime/jsx-runtime.ts") },
    logLevel: "silent",
  });
  return outfile;
}
