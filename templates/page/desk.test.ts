import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import desk from "./desk.js";

test("sends what a person has answered", async () => {
  const run = testWorkflow(desk, { input: { message: "Where is order 7?" } });
  assert.equal((await run.run()).status, "waiting-approval");
  const { output } = await run.approve("answer", { decidedBy: "ada", data: { text: "On its way." } });
  assert.deepEqual(output, { sent: "Re: Where is order 7? On its way." });
});
