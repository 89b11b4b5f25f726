import { expect, it } from "vitest";
import { applyUnifiedDiff } from "../../src/tools/files/unified-diff.js";

const refused = {
  code: "TOOL_PATCH_FAILED",
  message: expect.stringContaining("looking for the place of its hunks takes too long"),
};

it("a small patch that nearly fits everywhere is given up before it freezes the process", async () => {
  // 1 KB against 2 MB: every line of the file begins a match of 250 lines that fails at its end.
  const source = "a\n".repeat(1_000_000);
  const patch = `@@ -1,251 +1,252 @@\n${" a\n".repeat(250)} b\n+c\n`;
  await expect(applyUnifiedDiff(source, patch, "f")).rejects.toMatchObject(refused);
});

it("added lines before a context line that never fits are counted too", async () => {
  const source = "a\n".repeat(1_000_000);
  const patch = `@@ -1,1 +1,20001 @@\n${"+x\n".repeat(20_000)} b\n`;
  await expect(applyUnifiedDiff(source, patch, "f")).rejects.toMatchObject(refused);
});

it("many hunks of which the last does not fit do not multiply the work", async () => {
  const source = "a\n".repeat(200_000);
  const hunks = Array.from(
    { length: 2_000 },
    (_, at) => `@@ -${at * 10 + 1},1 +${at * 10 + 1},1 @@\n-a\n+a\n`,
  );
  const patch = `${hunks.join("")}@@ -1,1 +1,1 @@\n-never\n+x\n`;
  await expect(applyUnifiedDiff(source, patch, "f")).rejects.toMatchObject({ code: "TOOL_PATCH_FAILED" });
});

it("an honest patch whose line numbers are far off still finds its place in a large file", async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
  const source = `${lines.join("\n")}\n`;
  const patch = "@@ -10,3 +10,3 @@\n line 150000\n-line 150001\n+changed\n line 150002\n";
  expect(await applyUnifiedDiff(source, patch, "f")).toBe(source.replace("line 150001\n", "changed\n"));
});
