import { expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { signalRun } from "../../../src/operations/send-signal.js";
import type { DeliveryActions } from "../../../src/operations/webhooks/carry-out.js";
import {
  type DeliveryRequest,
  finishDeliveries,
  receiveDelivery,
} from "../../../src/operations/webhooks/receive-delivery.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { firstLease, newRun, node, schemas, step } from "../../conformance/store/fixtures.js";
import { databasePath, openStore } from "../../store/support/database.js";

const WAIT = { kind: "event", event: "paid", correlationId: "7" } as const;

/** A run that waits for `paid` of 7, and a webhook that tells it. */
function scene() {
  const store = openStore(databasePath(), schemas);
  store.createRun(newRun());
  const waiting = { ...node("a", { state: "waiting-event", wait: WAIT }), outputKey: "" };
  store.commit(step({ nodes: [waiting], run: { status: "waiting-event" } }));
  const request: DeliveryRequest = {
    webhookKey: "orders",
    deliveryId: "d1",
    bodyDigest: "aa",
    bodyText: null,
    body: { order: 7, start: { topic: "tea" } },
    mapping: {
      signal: { name: "paid", correlationId: { text: "order", path: ["order"] }, runId: null, payload: null },
      run: { input: { text: "start", path: ["start"] } },
    },
    isOwn: async () => true,
  };
  const started: string[] = [];
  const actions = {
    onRefused() {},
    clock: new VirtualClock(),
    async signal(sent: Parameters<DeliveryActions["signal"]>[0], dedupeKey: string) {
      await signalRun(new ServiceDb(store), sent, { dedupeKey });
    },
    async start({ runId }: { runId: string }) {
      started.push(runId);
    },
    onError(error: unknown) {
      throw error;
    },
  };
  return { store, request, actions, started };
}

it("a signal that was sent by a process that died then is not sent again, also when its run has ended since", async () => {
  const { store, request, actions, started } = scene();
  const dies: DeliveryActions["signal"] = async (...sent) => {
    await actions.signal(...sent);
    await new Promise(() => {});
  };
  receiveDelivery(store, request, { ...actions, signal: dies }).catch(() => {});
  await expect.poll(() => store.pendingIntents("run-1").length).toBe(1);
  const [intent] = store.pendingIntents("run-1");
  const nodes = [node("a", { state: "finished" })];
  store.commit(step({ nodes, consumedIntents: [intent?.id as number], run: { status: "finished" } }));
  await finishDeliveries(store, "orders", actions);
  expect(store.deliveries.get("orders", "id:d1")).toMatchObject({
    state: "done",
    result: { delivered: [{ runId: "run-1" }], started: null },
  });
  expect(await receiveDelivery(store, request, actions)).toMatchObject({ duplicate: true });
  expect({ intents: store.pendingIntents("run-1"), started }).toEqual({ intents: [], started: [] });
});

it("what kept a delivery from being done and may pass leaves it to be done", async () => {
  const { store, request, actions } = scene();
  const busy = new ServiceError("DB_BUSY", "busy");
  const failing = { ...actions, signal: () => Promise.reject(busy) };
  await expect(receiveDelivery(store, request, failing)).rejects.toBe(busy);
  expect(store.deliveries.get("orders", "id:d1")).toMatchObject({ state: "received" });
  expect(await receiveDelivery(store, request, actions)).toMatchObject({
    duplicate: true,
    result: { delivered: [{ runId: "run-1" }] },
  });
  expect(store.pendingIntents("run-1")).toHaveLength(1);
});

it("a run that ended between the plan and the signal makes the delivery fail, and the next try starts a run", async () => {
  const { store, request, actions, started } = scene();
  const ending = {
    ...actions,
    async signal(...sent: Parameters<DeliveryActions["signal"]>) {
      store.commit(step({ lease: firstLease, run: { status: "cancelled" } }));
      await actions.signal(...sent);
    },
  };
  await expect(receiveDelivery(store, request, ending)).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
  expect(store.deliveries.get("orders", "id:d1")).toMatchObject({ state: "failed" });
  expect(await receiveDelivery(store, request, actions)).toMatchObject({ duplicate: false });
  expect(started).toHaveLength(1);
});

it("a delivery that is damaged keeps no other from being finished", async () => {
  const { store, request, actions } = scene();
  const dies = { ...actions, signal: () => new Promise<never>(() => {}) };
  for (const deliveryId of ["d1", "d2"]) {
    void receiveDelivery(store, { ...request, deliveryId, bodyDigest: deliveryId }, dies);
  }
  await expect.poll(() => store.deliveries.incomplete("orders")).toHaveLength(2);
  const { db } = store.connection.use();
  db.exec("UPDATE _service_webhook_deliveries SET plan_json = '[]' WHERE delivery_key = 'id:d1'");
  const errors: unknown[] = [];
  await finishDeliveries(store, "orders", { ...actions, onError: (error) => errors.push(error) });
  expect(errors).toMatchObject([{ code: "STORAGE_ERROR", details: { column: "plan_json" } }]);
  expect(store.deliveries.get("orders", "id:d2")).toMatchObject({ state: "done" });
});
