import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { watchedSettings } from "../../src/hot/tsconfigs.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function project(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("tsconfigs");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const named = (paths: Iterable<string>) => [...paths].map((path) => path.slice(folder.length + 1)).sort();
  return (...sources: string[]) => {
    const { files, missing } = watchedSettings(sources.map((name) => join(folder, name)));
    return { files: named(files), missing: named(missing) };
  };
}

describe("the settings that count for a file", () => {
  it("are the nearest ones above it, with those that they extend", () => {
    const of = project({
      "tsconfig.json": '{ "extends": ["./base", "@some/package"] }',
      "base.json": '{ "extends": "./deeper.json" }',
      "deeper.json": "{}",
      "flows/a.tsx": "",
    });
    expect(of("flows/a.tsx")).toEqual({
      files: ["base.json", "deeper.json", "tsconfig.json"],
      missing: ["flows/tsconfig.json"],
    });
  });

  it("would be found in the project where there are none, and nowhere above", () => {
    const of = project({ "package.json": "{}", "flows/a.tsx": "" });
    expect(of("flows/a.tsx")).toEqual({ files: [], missing: ["flows/tsconfig.json", "tsconfig.json"] });
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
