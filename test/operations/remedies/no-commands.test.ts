import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readSources } from "../../support/architecture/source-file.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("no operation makes a command line: what is to be done is data", () => {
  const found = readSources(root, ["src/operations", "src/engine", "src/scheduler", "src/store"]).filter(
    ({ text }) => /[`"']treadle (?:--)?[a-z]/.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});
