import { describe, expect, it } from "vitest";
import * as rules from "./content-rules.js";
import { parseSource } from "./source-file.js";

const one = (text: string) => [parseSource("src/graph/a.tsx", text)];

type Rule = (files: ReturnType<typeof one>) => string[];

function itFinds(rule: Rule, offences: string[], innocents: string[]): void {
  it.each(offences)("finds %s", (text) => {
    expect(rule(one(text))).toHaveLength(1);
  });
  it.each(innocents)("accepts %s", (text) => {
    expect(rule(one(text))).toEqual([]);
  });
}

describe("findLongFiles", () => {
  it("counts lines, not the line break at the end", () => {
    expect(rules.findLongFiles(one("a;\nb;\nc;\n"), 3)).toEqual([]);
    expect(rules.findLongFiles(one("a;\nb;\nc;\nd;\n"), 3)).toEqual(["src/graph/a.tsx has 4 lines"]);
  });
});

describe("findBuiltInThrows", () => {
  itFinds(
    rules.findBuiltInThrows,
    [
      'throw new Error("x")',
      "const f = () => { throw new TypeError(`x`); };",
      "throw new AggregateError([])",
    ],
    [
      'throw new ServiceError("INTERNAL_ERROR", "x")',
      "throw error",
      'const e = new Error("x")',
      '// throw new Error("x")',
      'const s = "throw new Error()"',
    ],
  );
});

describe("findUnseededChance", () => {
  itFinds(
    rules.findUnseededChance,
    ["const r = Math.random()", 'import fc from "fast-check"'],
    ["const r = random()", 'import fc from "./support/property-tests.js"', 'const s = "Math.random()"'],
  );
});

describe("findLeftFolders", () => {
  itFinds(
    rules.findLeftFolders,
    ['const folder = mkdtempSync("a-")'],
    ['const folder = mkdtempSync("a-"); rmSync(folder)', "const folder = temporaryFolder()"],
  );
});

describe("findImpureReads", () => {
  itFinds(
    rules.findImpureReads,
    [
      "const t = Date.now()",
      "const t = new Date()",
      "const r = Math.random()",
      "const p = process.env",
      "const p = performance.now()",
      "const id = crypto.randomUUID()",
      "setTimeout(f, 1)",
      "queueMicrotask(f)",
    ],
    [
      "const t = new Date(ms)",
      "const t = Date.UTC(1, 2)",
      "const m = Math.max(1, 2)",
      "// Date.now()",
      "a.process.b",
    ],
  );
});

describe("findAsyncCode", () => {
  itFinds(
    rules.findAsyncCode,
    [
      "async function f() {}",
      "const f = async () => 1",
      "const o = { async f() {} }",
      "class C { async f() {} }",
      "await f()",
    ],
    ["const f = () => 1", "const asyncTasks = 1", "// async () => 1"],
  );
});

describe("findTopLevelVariables", () => {
  itFinds(
    rules.findTopLevelVariables,
    ["let a = 1", "export let a = 1", "var a = 1"],
    ["const a = 1", "export const f = () => { let a = 1; return a; }", "for (let i = 0; i < 1; i += 1) {}"],
  );
});

describe("findSchemasAtLoad", () => {
  itFinds(
    rules.findSchemasAtLoad,
    ["const a = z.string()", "export const a = z\n  .object({})", "const a = { b: z.string() }"],
    [
      "const a = once(() => z.string())",
      "const f = () => z.object({ a: z.string() })",
      "function f() { return z.string(); }",
    ],
  );
});

describe("findConsoleUses", () => {
  itFinds(
    rules.findConsoleUses,
    ["console.log(1)", 'console["error"](1)', "const f = console.warn"],
    ["// console.log(1)", "const message = 'console.log'", "view.console.open()"],
  );
});

describe("findLongParameterLists", () => {
  itFinds(
    (files) => rules.findLongParameterLists(files, 3),
    ["export function f(a, b, c, d) {}", "export const f = (a, b, c, d) => 1"],
    [
      "export function f(a, b, c) {}",
      "function f(a, b, c, d) {}",
      "export const a = 1, f = (x) => x",
      "export type F = (a: 1, b: 2, c: 3, d: 4) => void",
    ],
  );
});

describe("findUndocumentedCodes", () => {
  itFinds(
    (files) => rules.findUndocumentedCodes(files, (code) => code === "KNOWN"),
    [
      'throw new ServiceError("MADE_UP", "x")',
      'const e = new ServiceError(late ? "KNOWN" : "MADE_UP", "x")',
      'const e = new ServiceError(code ?? "MADE_UP", "x")',
    ],
    [
      'throw new ServiceError("KNOWN", "MADE_UP")',
      "throw new ServiceError(code, `x`)",
      'throw new ServiceError(kind === "MADE_UP" ? "KNOWN" : code, "x")',
    ],
  );
});

describe("findPostponedWork", () => {
  itFinds(
    rules.findPostponedWork,
    ["// TODO: later", "/* FIXME */"],
    ["// todos are tasks", "const AUTODOC = 1"],
  );
});
