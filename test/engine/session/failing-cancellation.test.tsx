import { expect, it } from "vitest";
import { z } from "zod";
import { cancelSuspended } from "../../../src/engine/inbox/cancel-suspended.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { Store } from "../../../src/store/contract.js";
import { openScene } from "../../support/engine/scene.js";

it("a cancellation that cannot be written gives the run up, so that the next one need not wait", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Signal, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="suspended">
      <Signal id="go" schema={outputs.row} />
    </Workflow>
  ));
  await scene.run(workflow);
  const { store } = scene;
  await store.submitIntent({ runId: "run", intent: { kind: "cancel", reason: "enough" }, createdAtMs: 1 });
  const isFull = () => {
    throw new ServiceError("STORAGE_ERROR", "The disk is full.");
  };
  const full = new Proxy(store, {
    get: (target, name) => {
      if (name === "commit") return isFull;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Store;
  const run = async () => (await store.getRun("run")) ?? expect.fail("no run");

  await expect(cancelSuspended({ ...scene.services, store: full }, await run())).rejects.toThrow(
    "disk is full",
  );
  expect(await run()).toMatchObject({ status: "waiting-event", ownerId: null });
  expect(await cancelSuspended(scene.services, await run())).not.toBeNull();
  expect(await run()).toMatchObject({ status: "cancelled" });
});
