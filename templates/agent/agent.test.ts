import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import workflow from "./agent.js";

test("writes a page from the points of its outline", async () => {
  // Mocks stand in for the agents: no model is asked. Their rows are checked against the tasks' schemas.
  const run = testWorkflow(workflow, {
    input: { topic: "looms" },
    agents: {
      outline: { points: ["Warp", "Weft"] },
      write: { title: "Looms", text: "Warp and weft." },
    },
  });
  const { output } = await run.run();
  assert.deepEqual(output, { title: "Looms", text: "Warp and weft." });
  assert.equal(run.prompt("outline"), "Outline a short page about looms.");
  assert.match(run.prompt("write") ?? "", /- Warp\n- Weft/);
});
