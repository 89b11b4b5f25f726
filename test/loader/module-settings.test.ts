import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { compilerSettings } from "../../src/loader/module-settings.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function project(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("tsconfigs");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const named = (paths: Iterable<string>) => [...paths].map((path) => path.slice(folder.length + 1)).sort();
  return (...sources: string[]) => {
    const { found, missing } = compilerSettings(sources.map((name) => join(folder, name)));
    return { files: named(found.keys()), missing: named(missing) };
  };
}

describe("the settings that the compiler reads for a file", () => {
  it("are the nearest ones above it, with those that they extend", () => {
    const of = project({
      "tsconfig.json": '{ "extends": ["./base", "@some/package"] }',
      "base.json": '{ "extends": "./deeper.json" }',
      "deeper.json": "{}",
      "flows/a.tsx": "",
    });
    expect(of("flows/a.tsx")).toEqual({
      files: ["base.json", "deeper.json", "tsconfig.json"],
      missing: ["flows/jsconfig.json", "flows/tsconfig.json"],
    });
  });

  it("are a jsconfig.json where its folder has no tsconfig.json", () => {
    const of = project({ "tsconfig.json": "{}", "flows/jsconfig.json": "{}", "flows/a.tsx": "" });
    expect(of("flows/a.tsx")).toEqual({ files: ["flows/jsconfig.json"], missing: ["flows/tsconfig.json"] });
  });

  it("may extend those of a package", () => {
    const of = project({
      "tsconfig.json": '{ "extends": "@some/package/base" }',
      "node_modules/@some/package/base.json": "{}",
    });
    expect(of("a.tsx").files).toEqual(["node_modules/@some/package/base.json", "tsconfig.json"]);
  });

  it("may extend one that is not there yet", () => {
    const of = project({ "tsconfig.json": '{ "extends": "./base" }' });
    expect(of("a.tsx")).toEqual({ files: ["tsconfig.json"], missing: ["base", "base.json"] });
  });

  it.each([
    ["with comments", '{ // why\n "extends": "./base", }'],
    ["that is broken further on", '{ "extends": "./base", "compilerOptions": { '],
  ])("are followed from a file %s", (_, text) => {
    const of = project({ "tsconfig.json": text, "base.json": "{}" });
    expect(of("a.tsx").files).toEqual(["base.json", "tsconfig.json"]);
  });

  it("would be found in the project where there are none, and nowhere above", () => {
    const of = project({ "package.json": "{}", "flows/a.tsx": "" });
    expect(of("flows/a.tsx")).toEqual({
      files: [],
      missing: ["flows/jsconfig.json", "flows/tsconfig.json", "jsconfig.json", "tsconfig.json"],
    });
  });

  it("extend each other in a circle without an end", () => {
    const of = project({
      "tsconfig.json": '{ "extends": "./other" }',
      "other.json": '{ "extends": "./tsconfig" }',
    });
    expect(of("a.tsx").files).toEqual(["other.json", "tsconfig.json"]);
  });

  it("are not those of packages", () => {
    const of = project({ "node_modules/p/tsconfig.json": "{}", "node_modules/p/index.js": "" });
    expect(of("node_modules/p/index.js")).toEqual({ files: [], missing: [] });
  });
});
