import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { HostedRuns } from "../../../src/operations/host/hosted-runs.js";
import { admission } from "../../../src/operations/supervise/admission.js";
import { openScene } from "../../support/engine/scene.js";

it("a run that is started while another must be alone is queued, and begins when that has ended", async () => {
  const { api, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="a">
      <Task id="work" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const host = new HostedRuns({ intervalMs: 20, workflowFor: async () => workflow });
  onTestFinished(() => host.close());
  const leave = admission.enter({ deaths: 2, ownerId: null, heartbeatAtMs: null }, Date.now());
  await host.start(workflow, { runId: "later", input: {} });
  expect(await store.getRun("later")).toMatchObject({ status: "running", ownerId: null });
  leave?.();
  await expect.poll(async () => (await store.getRun("later"))?.status).toBe("finished");
});
