import { describe, expect, it } from "vitest";
import * as rules from "./naming-rules.js";
import { parseSource } from "./source-file.js";

const at = (path: string, text = "") => parseSource(path, text);

describe("findMisnamedFiles", () => {
  it.each([
    "src/graph/runLoop.ts",
    "src/graph/run_loop.ts",
    "src/graph/RunLoop.ts",
    "src/taskKinds/a.ts",
    "test/graph/Frame.test.ts",
  ])("finds %s", (path) => {
    expect(rules.findMisnamedFiles([at(path)])).toEqual([path]);
  });

  it("finds a PascalCase.tsx that does not export what it is named after", () => {
    expect(rules.findMisnamedFiles([at("src/components/Task.tsx", "export const Job = 1")])).toHaveLength(1);
  });

  it.each([
    "src/graph/run-loop.ts",
    "examples/01-hello.tsx",
    "test/graph/run-loop.test.ts",
    "test/types/api.test-d.ts",
  ])("accepts %s", (path) => {
    expect(rules.findMisnamedFiles([at(path)])).toEqual([]);
  });

  it("accepts a component and its test", () => {
    const files = [
      at("src/components/Task.tsx", "export function Task() { return <a />; }"),
      at("test/components/Task.test.tsx"),
    ];
    expect(rules.findMisnamedFiles(files)).toEqual([]);
  });
});

describe("findBannedNames", () => {
  it.each([
    ["src/graph/string-utils.ts", ""],
    ["src/graph/frame-helper.ts", ""],
    ["src/graph/a.ts", "export class RunManager {}"],
    ["src/graph/a.ts", "export type EventBridge = 1"],
    ["src/graph/a.ts", "export const legacyNames = 1"],
    ["src/graph/a.ts", "export const LEGACY_NAMES = 1"],
    ["src/graph/a.ts", "export interface ShadowTree {}"],
    ["src/graph/a.ts", "export function launchV2() {}"],
    ["src/graph/a.ts", "const a = 1; export { a as StoreImpl }"],
    ["src/graph/a.ts", "export default function runHelper() {}"],
  ])("finds in %s: %s", (path, text) => {
    expect(rules.findBannedNames([at(path, text)])).toHaveLength(1);
  });

  it.each([
    "export const implicitOrder = 1",
    "export const implement = 1",
    "const storeImpl = 1",
    "export const boxShadows = 1",
  ])("accepts %s", (text) => {
    expect(rules.findBannedNames([at("src/util/a.ts", text)])).toEqual([]);
  });
});

describe("findTypesDeclaredTwice", () => {
  it.each([
    ["export type Run = 1", "export interface Run {}"],
    ["export class Run {}", "export enum Run {}"],
  ])("finds %s and %s in two files", (first, second) => {
    expect(rules.findTypesDeclaredTwice([at("src/model/a.ts", first), at("src/store/b.ts", second)])).toEqual(
      ["Run: src/model/a.ts, src/store/b.ts"],
    );
  });

  it("accepts a schema and its type side by side", () => {
    const both = at(
      "src/model/a.ts",
      "export const Run = z.object({}); export type Run = z.infer<typeof Run>;",
    );
    expect(rules.findTypesDeclaredTwice([both])).toEqual([]);
  });

  it("accepts re-exports and types that stay private", () => {
    const home = at("src/model/a.ts", "export type Run = 1");
    const other = at("src/store/b.ts", 'export type { Run } from "../model/a.js"; type Private = 1;');
    expect(rules.findTypesDeclaredTwice([home, other, at("src/store/c.ts", "type Private = 2")])).toEqual([]);
  });
});

describe("findFunctionsDeclaredTwice", () => {
  it("finds one name of two functions", () => {
    const files = [
      at("src/model/a.ts", "export function open() {}"),
      at("src/store/b.ts", "export async function open() {}"),
    ];
    expect(rules.findFunctionsDeclaredTwice(files)).toEqual(["open: src/model/a.ts, src/store/b.ts"]);
  });

  it("accepts overloads, re-exports and functions that stay private", () => {
    const files = [
      at(
        "src/model/a.ts",
        "export function open(a: 1): void; export function open(a: 2): void; export function open() {}",
      ),
      at("src/store/b.ts", 'export { open } from "../model/a.js";'),
      at("src/store/c.ts", "function open() {}"),
    ];
    expect(rules.findFunctionsDeclaredTwice(files)).toEqual([]);
  });
});

describe("findStarExports", () => {
  it.each(['export * from "./b.js"', 'export * as b from "./b.js"', 'export type * from "./b.js"'])(
    "finds %s",
    (text) => {
      expect(rules.findStarExports([at("src/graph/a.ts", text)])).toEqual(["src/graph/a.ts:1"]);
    },
  );

  it("accepts a list of names", () => {
    expect(rules.findStarExports([at("src/graph/a.ts", 'export { a, type B } from "./b.js"')])).toEqual([]);
  });
});
