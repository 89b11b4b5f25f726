import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../../src/index.js";
import { superviseStore } from "../../../src/operations/supervise/supervise-store.js";
import { openScene } from "../../support/engine/scene.js";

it("a place that becomes free is filled at once, and runs that cannot be driven here keep nothing busy", async () => {
  const { api, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Timer, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="a">
      <Timer id="begin" duration="1ms" />
      <Task id="after" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const unknown = ["unknown-1", "unknown-2", "unknown-3"];
  const known = Array.from({ length: 12 }, (_, n) => `run-${n}`);
  for (const runId of [...unknown, ...known]) await runWorkflow(workflow, { runId, input: {} });
  const stop = new AbortController();
  const ended: string[] = [];
  let asked = 0;
  await superviseStore(store, {
    signal: stop.signal,
    // A second pass by time alone would never come.
    intervalMs: 3_600_000,
    maxConcurrent: 4,
    async workflowFor({ runId }) {
      asked += 1;
      return unknown.includes(runId) ? undefined : workflow;
    },
    onEnd: ({ runId }) => {
      ended.push(runId);
      if (ended.length === known.length) stop.abort();
    },
  });
  expect(ended.sort()).toEqual([...known].sort());
  // Each end of a run looks once more at most, and asks for those that are unknown again.
  expect(asked).toBeLessThanOrEqual(known.length + unknown.length * (known.length + 1));
});
