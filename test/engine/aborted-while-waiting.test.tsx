import { expect, it } from "vitest";
import { z } from "zod";
import { type RunEvent, ServiceError } from "../../src/index.js";
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
  const controller = new AbortController();
  const heard: string[] = [];
  /** Aborts as soon as the commit is reported that suspends the run. */
  const whenParked = (reason?: unknown) => ({
    signal: controller.signal,
    onProgress(event: RunEvent) {
      heard.push(event.type);
      if (event.type === "RunStatusChanged" && event.status === "waiting-approval") controller.abort(reason);
    },
  });
  return { ...scene, workflow, controller, heard, whenParked };
}

it("a signal that is aborted while a run parks cancels it", async () => {
  const { run, workflow, node, store, events, whenParked, heard } = open();
  expect(await run(workflow, whenParked())).toEqual({ runId: "run", status: "cancelled" });
  expect((await node("ask"))?.state).toBe("cancelled");
  expect(await store.getRun("run")).toMatchObject({ status: "cancelled", ownerId: null });
  expect(await events("RunCancelled")).toHaveLength(1);
  expect(heard).toContain("RunCancelled");
});

it("so does one that is aborted while that commit is being written", async () => {
  const { run, workflow, store, controller } = open();
  const commit = store.commit.bind(store);
  store.commit = (written) => {
    if (written.run?.release === true) controller.abort();
    return commit(written);
  };
  expect((await run(workflow, { signal: controller.signal })).status).toBe("cancelled");
  expect((await store.getRun("run"))?.status).toBe("cancelled");
});

it("the reason that a RUN_CANCELLED gives is kept", async () => {
  const { run, workflow, events, whenParked } = open();
  const details = { reason: "no longer needed", requestedBy: "ada" };
  await run(workflow, whenParked(new ServiceError("RUN_CANCELLED", "Enough.", { details })));
  expect(await events("RunCancelled")).toMatchObject([details]);
});

it("a signal that only stops the process leaves the run waiting", async () => {
  const { run, workflow, whenParked } = open();
  const result = await run(workflow, whenParked(new ServiceError("PROCESS_ABORTED", "Stopping.")));
  expect(result.status).toBe("waiting-approval");
});

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

it("one that is aborted already and only stops the process leaves the run waiting", async () => {
  const { run, workflow } = open();
  const signal = AbortSignal.abort(new ServiceError("PROCESS_ABORTED", "Stopping."));
  expect((await run(workflow, { signal })).status).toBe("waiting-approval");
});
