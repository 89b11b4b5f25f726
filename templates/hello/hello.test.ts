import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import hello from "./hello.js";

test("greets who it is told, and the world otherwise", async () => {
  const ada = await testWorkflow(hello, { input: { name: "Ada" } }).run();
  assert.deepEqual(ada.output, { text: "Hello, Ada!", letters: 8 });

  const world = await testWorkflow(hello).run();
  assert.deepEqual(world.output, { text: "Hello, world!", letters: 10 });
});

test("does no finished task again when its process dies between the two", async () => {
  const run = testWorkflow(hello);
  await run.run({ commit: 3, when: "after" });
  const { status, output } = await run.resume();
  assert.equal(status, "finished");
  assert.deepEqual(output, { text: "Hello, world!", letters: 10 });
});
