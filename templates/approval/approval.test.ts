import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import workflow from "./approval.js";

test("waits for a person for as long as it takes, then releases", async () => {
  const run = testWorkflow(workflow, { input: { version: "2.0.0" } });
  await run.run();
  const { status } = await run.advance("7d"); // virtual time
  assert.equal(status, "waiting-approval");
  const { output } = await run.approve("ship", { decidedBy: "ada" });
  assert.deepEqual(output, { released: true, version: "2.0.0", by: "ada" });
});

test("releases nothing that was denied", async () => {
  const run = testWorkflow(workflow);
  await run.run();
  const { output } = await run.deny("ship", { decidedBy: "ada" });
  assert.deepEqual(output, { released: false, version: "1.0.0", by: "ada" });
});
