import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

it("a parent that is taken over by force takes the child runs of its former owner with it", async () => {
  const { api, store } = openScene({ output: z.object({ n: z.number() }) });
  const { Workflow, Task, Subflow, outputs, service } = api;
  const never = new Promise<never>(() => {});
  let attempts = 0;
  const child = service(() => (
    <Workflow name="child">
      <Task id="work" output={outputs.output}>
        {() => {
          attempts += 1;
          return attempts === 1 ? never : { n: attempts };
        }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="part" workflow={child} output={outputs.output} />
    </Workflow>
  ));
  const lost = runWorkflow(parent, { runId: "run", input: {} });
  lost.catch(() => {});
  await expect.poll(() => attempts, { timeout: 100_000 }).toBe(1);
  const result = await runWorkflow(parent, { runId: "run", resume: true, force: true });
  expect(result).toMatchObject({ status: "finished", output: { n: 2 } });
  await expect(lost).rejects.toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
  expect(await store.getRun("run:part:0")).toMatchObject({ status: "finished", ownerId: null });
});
