import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fragments, SURROUNDINGS } from "./fragments.js";
import { type CodeFile, codeFiles, type Page } from "./pages.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Extract {
  readonly folder: string;
  /** Where a file of a page was written. */
  pathOf(file: Pick<CodeFile, "page" | "name">): string;
  remove(): void;
}

/** Writes the code of pages to a folder that has the packages of this repository, one folder per page. */
export function extractCode(
  pages: readonly Page[],
  rewrite: (text: string) => string = (text) => text,
): Extract {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-docs-")));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const pathOf = writeCode(folder, pages, rewrite);
  return { folder, pathOf, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes the code of pages, one folder per page. @returns where a file of a page was written */
export function writeCode(
  folder: string,
  pages: readonly Page[],
  rewrite: (text: string) => string,
): Extract["pathOf"] {
  const folderOf = (path: string) => join(folder, path.replace(/\.md$/, "").replaceAll("/", "."));
  const pathOf = ({ page, name }: Pick<CodeFile, "page" | "name">) => join(folderOf(page), name);
  writeFileSync(join(folder, "surroundings.ts"), SURROUNDINGS);
  for (const page of pages) {
    mkdirSync(folderOf(page.path));
    for (const file of codeFiles(page)) writeFileSync(pathOf(file), rewrite(file.text));
    for (const file of fragments(page)) writeFileSync(pathOf(file), file.text);
  }
  return pathOf;
}

/**
 * Makes a claim of every line `expression; // => value`: it then fails unless the expression has that
 * value. A value that is an object may leave members out.
 */
export function withClaims(text: string): string {
  return text.replaceAll(
    /^( *)(.+?);? \/\/ => (.+)$/gm,
    (_line, indent: string, expression: string, value: string) =>
      `${indent}globalThis.__claim(${JSON.stringify(expression)}, ${expression}, ${value});`,
  );
}
