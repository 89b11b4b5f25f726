import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseSource, readSources } from "./source-file.js";

const importsOf = (text: string) =>
  parseSource("src/a.ts", text).imports.map(({ kind, specifier }) => `${kind} ${specifier}`);

describe("parseSource", () => {
  it("tells imports that load a module from those that are erased", () => {
    expect(
      importsOf('import a from "a"; import type { B } from "b"; import { type C } from "c"; import "d";'),
    ).toEqual(["value a", "type b", "value c", "value d"]);
  });

  it("takes re-exports for imports, but not plain exports", () => {
    expect(
      importsOf('export { a } from "a"; export type { B } from "b"; export * from "c"; export const d = 1;'),
    ).toEqual(["value a", "type b", "value c"]);
  });

  it("finds lazy imports, required modules and types inside expressions", () => {
    expect(importsOf('const a = () => import("a"); const b = require("b"); let c: import("c").C;')).toEqual([
      "dynamic a",
      "dynamic b",
      "type c",
    ]);
  });

  it("is not misled by comments, texts and patterns", () => {
    expect(
      importsOf('// import "a"\nconst b = \'import "b"\'; const c = /import "c"/; const d = `import "d"`;'),
    ).toEqual([]);
  });

  it("tells generic calls from elements in a .tsx file", () => {
    const text = 'const f = <T,>(x: T) => x; const e = <a b={f<string>("x")} />; import "y";';
    expect(parseSource("src/a.tsx", text).imports).toHaveLength(1);
  });

  it("gives the line of an import", () => {
    expect(parseSource("src/a.ts", '\n\nimport "a";').imports[0]?.line).toBe(3);
  });

  it("names the file that it cannot parse", () => {
    expect(() => parseSource("src/broken.ts", "const = 1")).toThrow("src/broken.ts cannot be parsed");
  });
});

describe("readSources", () => {
  it("reads the modules of the folders it is given, without fixtures and installed packages", () => {
    const root = mkdtempSync(join(tmpdir(), "source-file-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const written = [
      "src/b/c.tsx",
      "src/a.ts",
      "src/notes.md",
      "src/fixtures/x.ts",
      "lib/d.ts",
      "src/node_modules/e.ts",
    ];
    for (const path of written) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), "export const a = 1;\n");
    }
    expect(readSources(root, ["src", "absent"]).map(({ path }) => path)).toEqual(["src/a.ts", "src/b/c.tsx"]);
  });
});
