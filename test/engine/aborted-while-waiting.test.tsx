import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { decision: z.object({ approved: z.boolean() }) };

function open() {
  const scene = openScene(schemas);
  const { Workflow, Approval, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Approval id="ask" request={{ title: "Go?" }} output={outputs.decision} />
    </Workflow>
  ));
  return { ...scene, workflow };
}

it("a run that only waits is cancelled by a signal that is aborted already", async () => {
  const { run, workflow, node } = open();
  const end = await run(workflow, { signal: AbortSignal.abort() });
  expect(end.status).toBe("cancelled");
  expect((await node("ask"))?.state).toBe("cancelled");
});

it("so is one that is resumed with such a signal", async () => {
  const { run, resume, workflow } = open();
  expect((await run(workflow)).status).toBe("waiting-approval");
  expect((await resume(workflow, { signal: AbortSignal.abort() })).status).toBe("cancelled");
});

it("a signal that only stops the process leaves it waiting", async () => {
  const { run, workflow } = open();
  const signal = AbortSignal.abort(new ServiceError("PROCESS_ABORTED", "Stopping."));
  expect((await run(workflow, { signal })).status).toBe("waiting-approval");
});
