import { getRun, retryTask, runWorkflow } from "treadle";
import { expect, test } from "vitest";
import { z } from "zod";
import { claimRun } from "../../src/engine/session/lease.js";
import { openScene } from "../support/engine/scene.js";

test("a retry whose run is taken over meanwhile says so in its result, and changes nothing", async () => {
  const { api, store, time } = openScene({ output: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="taken">
      <Task id="work" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run" });
  const load = store.loadRun.bind(store);
  let loads = 0;
  store.loadRun = async (...about) => {
    loads += 1;
    const run = await store.getRun("run");
    // Planned once to see whether it can be done, and again under the lease.
    if (loads === 2 && run !== undefined) await claimRun(store, run, { clock: time, force: true });
    return load(...about);
  };
  expect(await retryTask(workflow, { runId: "run", nodeId: "work" })).toMatchObject({
    success: false,
    resetNodes: [],
    code: "RUN_RESUME_CLAIM_LOST",
  });
  expect((await getRun(workflow, "run")).nodes).toEqual({ finished: 1 });
});
