import { expect, it } from "vitest";
import { importFailure } from "../../src/loader/import-failure.js";

it("the name of a module that lacks an export is read in one pass, however long it is", () => {
  const from = "a".repeat(500_000);
  const thrown = new SyntaxError(`The requested module '${from}' does not provide an export named 'late'`);
  const { summary } = importFailure(thrown, { shown: "flow.tsx", cwd: "/", modules: [] });
  expect(summary.endsWith("a does not export late (flow.tsx).")).toBe(true);
});
