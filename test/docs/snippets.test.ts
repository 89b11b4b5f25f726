// What snippets import is loaded before the first of them, whose time limit it would count for.
import "treadle";
import "treadle/agents";
import "treadle/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { extractCode, withClaims } from "./support/extract.js";
import { codeFiles, isProgram, pagesWithFiles } from "./support/pages.js";

const pages = pagesWithFiles();
const extract = extractCode(pages, withClaims);
// What a snippet creates in the folder for temporary files goes with the rest.
vi.stubEnv("TMPDIR", extract.folder);
afterAll(() => extract.remove());

const programs = pages.flatMap((page) => codeFiles(page).filter(isProgram));

declare global {
  var __claim: (expression: string, actual: unknown, expected: unknown) => void;
}

globalThis.__claim = (expression, actual, expected) => {
  const isPart = typeof expected === "object" && expected !== null && !Array.isArray(expected);
  if (isPart) expect(actual, expression).toMatchObject(expected);
  else expect(actual, expression).toEqual(expected);
};

describe("the code in the documentation", () => {
  it.each(programs)("$page: $name does what its comments say", async (file) => {
    expect.hasAssertions();
    await import(/* @vite-ignore */ extract.pathOf(file));
  });
});
