import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../../src/index.js";
import { superviseStore } from "../../../src/operations/supervise/supervise-store.js";
import { openScene } from "../../support/engine/scene.js";

it("leaves a run alone that has failed in another process since it was found due", async () => {
  const { api, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Timer, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="a">
      <Timer id="begin" duration="1ms" />
      <Task id="poison" output={outputs.row} noRetry>
        {() => {
          throw new Error("as asked");
        }}
      </Task>
    </Workflow>
  ));
  for (const runId of ["contended", "later"]) await runWorkflow(workflow, { runId, input: {} });
  const stop = new AbortController();
  await superviseStore(store, {
    signal: stop.signal,
    intervalMs: 5,
    // One after the other: when the second has ended, this supervisor is through with the first.
    maxConcurrent: 1,
    async workflowFor({ runId }) {
      if (runId === "contended") await runWorkflow(workflow, { runId, resume: true });
      return workflow;
    },
    onEnd: ({ runId }) => {
      if (runId === "later") stop.abort();
    },
  });
  const attempts = (await store.listAttempts("contended")).filter(({ nodeId }) => nodeId === "poison");
  expect(attempts).toMatchObject([{ attempt: 1, state: "failed" }]);
});
