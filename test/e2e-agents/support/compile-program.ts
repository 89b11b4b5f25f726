import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Compiled once in a file of tests, however many folders get them. */
const compiled = new Map<string, Promise<Uint8Array>>();

/** A program of the tests, from its path under the repository, as one file that node runs by itself. */
export async function compileProgram(source: string, folder: string): Promise<string> {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  const program = join(folder, "program.mjs");
  const known = compiled.get(source) ?? compile(source);
  compiled.set(source, known);
  writeFileSync(program, await known);
  return program;
}

async function compile(source: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, source)],
    outfile: "program.mjs",
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "treadle",
    alias: { "treadle/jsx-runtime": join(ROOT, "jsx-runtime/jsx-runtime.ts") },
    logLevel: "silent",
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
