import { describe, expect, it } from "vitest";
import type { WebhookDelivery, WebhookRefusal } from "../../../src/model/webhook-delivery.js";
import type { NodeRow } from "../../../src/model/node.js";
import { firstLease, newRun, node, SIGNAL, step, T0 } from "./fixtures.js";
import { delivery } from "./host-fixtures.js";
import type { StoreScenario } from "./scenario.js";

const done: WebhookDelivery = {
  ...delivery,
  state: "done",
  settledAtMs: T0 + 1,
  plan: null,
  result: { delivered: [{ runId: "a", signal: "paid", correlationId: null }], started: { runId: "r" } },
};

const failed: WebhookDelivery = {
  ...done,
  state: "failed",
  result: null,
  error: { name: "ServiceError", code: "INVALID_INPUT", message: "no" },
};

const refusal: WebhookRefusal = {
  webhookKey: "orders",
  code: "WEBHOOK_SIGNATURE_INVALID",
  sinceMs: T0,
  refusedAtMs: T0 + 5,
  requests: 1,
  message: "no",
  isSigned: false,
};

export function deliveries(scenario: StoreScenario): void {
  describe("deliveries", () => {
    it("keep every field, and are completed once", async () => {
      const store = await scenario.open();
      expect(await store.deliveries.receive(delivery)).toEqual({ delivery, isNew: true });
      expect(await store.deliveries.get("orders", "id:d1")).toEqual(delivery);
      expect(await store.deliveries.complete(done)).toBe(true);
      expect(await store.deliveries.complete(failed)).toBe(false);
      expect(await store.deliveries.get("orders", "id:d1")).toEqual(done);
      expect(await store.deliveries.get("other", "id:d1")).toBeUndefined();
    });

    it("are kept once, by the handle that comes first", async () => {
      const [first, second] = [await scenario.open(), await scenario.open()];
      const kept = await Promise.all(
        [first, second, first, second].map((store) =>
          store.deliveries.receive({ ...delivery, receivedAtMs: T0 + 5 }),
        ),
      );
      expect(kept.map(({ isNew }) => isNew).sort()).toEqual([false, false, false, true]);
      await first.deliveries.countRepeat("orders", "id:d1");
      expect(await second.deliveries.get("orders", "id:d1")).toMatchObject({ repeats: 1 });
    });

    it("that have failed may come again: the same body as old as it was, another one as a new one", async () => {
      const store = await scenario.open();
      await store.deliveries.receive(delivery);
      await store.deliveries.complete(failed);
      const again = { ...delivery, receivedAtMs: T0 + 99 };
      expect((await store.deliveries.receive(again)).isNew).toBe(true);
      expect(await store.deliveries.get("orders", "id:d1")).toEqual(delivery);
      await store.deliveries.complete(failed);
      const other = { ...again, bodyDigest: "bb" };
      expect(await store.deliveries.receive(other)).toEqual({ delivery: other, isNew: true });
      expect(await store.deliveries.get("orders", "id:d1")).toEqual(other);
      // A process that was still at the first body completes nothing.
      expect(await store.deliveries.complete(failed)).toBe(false);
      expect(await store.deliveries.receive(delivery)).toEqual({ delivery: other, isNew: false });
    });

    it("of one body are one where an id was left out or put in, and two where there are two ids", async () => {
      const store = await scenario.open();
      const withoutId = { ...delivery, deliveryKey: "body:aa" };
      await store.deliveries.receive(delivery);
      expect(await store.deliveries.receive(withoutId)).toEqual({ delivery, isNew: false });
      expect((await store.deliveries.receive({ ...delivery, deliveryKey: "id:d2" })).isNew).toBe(true);
      const plain = { ...delivery, deliveryKey: "body:cc", bodyDigest: "cc" };
      await store.deliveries.receive(plain);
      const withId = { ...plain, deliveryKey: "id:d3" };
      expect(await store.deliveries.receive(withId)).toEqual({ delivery: plain, isNew: false });
      expect((await store.deliveries.receive({ ...withId, webhookKey: "other" })).isNew).toBe(true);
    });

    it("are listed by webhook, newest first, and forgotten when they are old and completed", async () => {
      const store = await scenario.open();
      const keys = async (filter: object) =>
        (await store.deliveries.list({ limit: 9, ...filter })).map(({ deliveryKey }) => deliveryKey);
      for (const [index, webhookKey] of ["orders", "other", "orders"].entries()) {
        await store.deliveries.receive({
          ...delivery,
          webhookKey,
          deliveryKey: `id:${index}`,
          receivedAtMs: T0 + index,
        });
      }
      await store.deliveries.complete({ ...done, deliveryKey: "id:0" });
      await store.deliveries.complete({ ...done, deliveryKey: "id:2" });
      expect(await keys({})).toEqual(["id:2", "id:1", "id:0"]);
      expect(await keys({ webhookKey: "orders" })).toEqual(["id:2", "id:0"]);
      expect(await store.deliveries.incomplete("other")).toEqual(["id:1"]);
      expect(await store.deliveries.incomplete("orders")).toEqual([]);
      expect(await keys({ limit: 1 })).toEqual(["id:2"]);
      await store.deliveries.prune(T0 + 2);
      expect(await keys({})).toEqual(["id:2", "id:1"]);
    });

    it("of a replay are kept beside the one of the same body", async () => {
      const store = await scenario.open();
      await store.deliveries.receive({ ...delivery, deliveryKey: "body:aa" });
      const replayedBy = {
        triggeredBy: "ada",
        role: "lead",
        scopes: ["*"],
        createdAt: "2026-05-04T09:00:00Z",
      };
      const replay = { ...delivery, deliveryKey: "replay:r1", replayOf: "body:aa", replayedBy };
      expect(await store.deliveries.receive(replay)).toEqual({ delivery: replay, isNew: true });
      expect(await store.deliveries.get("orders", "replay:r1")).toEqual(replay);
      expect((await store.deliveries.receive(replay)).isNew).toBe(false);
    });

    it("lose their bodies when they are old", async () => {
      const store = await scenario.open();
      await store.deliveries.receive(delivery);
      await store.deliveries.receive({ ...delivery, deliveryKey: "id:d2", receivedAtMs: T0 + 5 });
      await store.deliveries.forgetBodies(T0 + 5);
      const bodies = (await store.deliveries.list({ limit: 9 })).map(({ bodyText }) => bodyText);
      expect(bodies).toEqual([delivery.bodyText, null]);
    });

    it("that were refused are counted by minute, the newest of each reason, and are forgotten", async () => {
      const store = await scenario.open();
      const refuse = (more: Partial<WebhookRefusal>) => store.deliveries.refuse({ ...refusal, ...more });
      await refuse({});
      await refuse({ refusedAtMs: T0 + 7, requests: 3, message: "newer" });
      await refuse({ webhookKey: "other" });
      expect(await store.deliveries.refusals({ webhookKey: "orders", limit: 9 })).toEqual([
        { ...refusal, refusedAtMs: T0 + 7, requests: 4, message: "newer" },
      ]);
      for (let minute = 1; minute <= 60; minute += 1) {
        const atMs = T0 + minute * 60_000;
        await refuse({ code: "INVALID_JSON", sinceMs: atMs, refusedAtMs: atMs, isSigned: true });
      }
      const all = await store.deliveries.refusals({ webhookKey: "orders", limit: 500 });
      expect(all).toHaveLength(51);
      expect(all[0]).toMatchObject({ code: "INVALID_JSON", sinceMs: T0 + 60 * 60_000, isSigned: true });
      expect(all.at(-1)).toMatchObject({ code: refusal.code });
      await store.deliveries.prune(T0 + 60 * 60_000);
      expect(await store.deliveries.refusals({ webhookKey: "orders", limit: 500 })).toHaveLength(1);
    });

    it("find the runs that wait for exactly their signal, oldest first", async () => {
      const store = await scenario.open();
      const waits = async (runId: string, wait: NodeRow["wait"], nowMs = T0) => {
        await store.createRun(newRun({ runId, nowMs }));
        const lease = { ...firstLease, runId };
        const rows = [node("a", { state: "waiting-event", wait }), node("b", { state: "finished" })];
        await store.commit(step({ lease, nodes: rows, run: { status: "waiting-event" } }));
      };
      await waits("late", { kind: "event", event: "paid", correlationId: "7" }, T0 + 5);
      await waits("early", { kind: "event", event: "paid", correlationId: "7" });
      await waits("other", { kind: "event", event: "paid", correlationId: "70" });
      await waits("any", { kind: "event", event: "paid" });
      await waits("case", { kind: "event", event: "Paid", correlationId: "7" });
      await waits("wild", { kind: "event", event: 'p%_\\"d', correlationId: "7" });
      await waits("ended", { kind: "event", event: "paid", correlationId: "7" });
      await store.commit(step({ lease: { ...firstLease, runId: "ended" }, run: { status: "cancelled" } }));
      expect(await store.deliveries.awaiting("paid", "7")).toEqual(["early", "late"]);
      expect(await store.deliveries.awaiting("paid", null)).toEqual(["any"]);
      expect(await store.deliveries.awaiting('p%_\\"d', "7")).toEqual(["wild"]);
      expect(await store.deliveries.awaiting("p%d", "7")).toEqual([]);
    });

    it("send a signal once to a run and to those that continue it, consumed or not", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const send = { runId: "run-1", intent: SIGNAL, createdAtMs: T0, dedupeKey: "k" };
      expect(await store.deliveries.wasSent("run-1", "k")).toBe(false);
      const id = (await store.submitIntent(send)) as number;
      await store.commit(step({ consumedIntents: [id] }));
      const next = newRun({ runId: "run-2" });
      await store.commit(step({ run: { status: "continued", nextRunId: "run-2" }, newRuns: [next] }));
      expect(await store.submitIntent(send)).toBeUndefined();
      expect(await store.pendingIntents("run-2")).toEqual([]);
      expect(await store.deliveries.wasSent("run-1", "k")).toBe(true);
      expect(await store.deliveries.wasSent("run-1", "other")).toBe(false);
      expect(await store.submitIntent({ ...send, dedupeKey: "other" })).toBeGreaterThan(id);
      expect(await store.deliveries.wasSent("run-1", "other")).toBe(true);
    });
  });
}
