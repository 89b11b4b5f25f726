import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import { invoice } from "./index.js";

test("adds up what a customer owes", async () => {
  const { output } = await testWorkflow(invoice, { input: { customer: "Ada", cents: [1250, 399] } }).run();
  assert.deepEqual(output, { text: "Ada owes 16.49." });
});
