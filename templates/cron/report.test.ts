import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import report from "./report.js";

test("counts the files with an ending", async (t) => {
  const rootDir = await mkdtemp(join(tmpdir(), "report-"));
  t.after(() => rm(rootDir, { recursive: true }));
  for (const name of ["a.ts", "b.ts", "c.md"]) await writeFile(join(rootDir, name), "");

  const scheduled = await testWorkflow(report, { options: { rootDir } }).run();
  assert.deepEqual(scheduled.output, { ending: ".ts", files: 2 });

  const asked = await testWorkflow(report, { input: { ending: ".md" }, options: { rootDir } }).run();
  assert.deepEqual(asked.output, { ending: ".md", files: 1 });
});
