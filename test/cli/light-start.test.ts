import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";
import { CLI_MAIN } from "./support/treadle.js";

/** Packages that a built file imports before it runs, through the files that it imports. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set([entry]);
  for (const file of seen) {
    const text = readFileSync(file, "utf8");
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)[^;]*?"([^"]+)";/gm)) {
      if (specifier.startsWith(".")) seen.add(resolve(dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return packages;
}

it("the command line starts without the library's packages: help, version and mistakes come at once", () => {
  const packages = [...packagesOf(CLI_MAIN)].filter((name) => !name.startsWith("node:"));
  expect(packages).toEqual(["commander"]);
});
