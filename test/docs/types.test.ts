import { writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "./support/compile.js";
import { typeCheckOf } from "./support/declared-types.js";
import { extractCode } from "./support/extract.js";
import { fragments, hasFragments } from "./support/fragments.js";
import { allPages, codeFiles, pagesWithFiles } from "./support/pages.js";
import { publicNames } from "./support/public-names.js";

const pages = pagesWithFiles();
const sketches = allPages().filter(hasFragments);
const extract = extractCode([...pages, ...sketches]);
afterAll(() => extract.remove());

// Classes are types as well.
const publicTypes = publicNames()
  .filter(({ name, isType }) => isType || name.startsWith("Service"))
  .map(({ name }) => name);

const checks = pages.map((page) => {
  const check = typeCheckOf(page, publicTypes);
  const path = extract.pathOf({ page: page.path, name: "declared.ts" });
  writeFileSync(path, check.text);
  return { path: page.path, file: path, subjects: check.subjects };
});

const errors = compile(extract.folder);

describe("the documentation and the types of the code", () => {
  it.each([...pages, ...sketches])("the code of $path compiles", (page) => {
    const files = [...codeFiles(page), ...fragments(page)].map((file) => extract.pathOf(file));
    const found = errors.filter(({ file }) => files.includes(file));
    expect(files.length).toBeGreaterThan(0);
    expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });

  it("what surrounds fragments compiles", () => {
    expect(errors.filter(({ file }) => file.endsWith("surroundings.ts"))).toEqual([]);
  });

  it.each(checks)("the tables and signatures of $path are those of the code", ({ file, subjects }) => {
    const found = errors.filter((error) => error.file === file);
    expect(found.map(({ line, message }) => `${subjects[line - 1]}: ${message}`)).toEqual([]);
  });
});
