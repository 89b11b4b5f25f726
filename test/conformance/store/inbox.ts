import { describe, expect, it } from "vitest";
import type { IntentKind } from "../../../src/model/intent.js";
import { codeOf, firstLease, INTENTS, newRun, SIGNAL, step, T0, WAKE } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function inbox(scenario: StoreScenario): void {
  describe("the inbox", () => {
    it("keeps intents in order of arrival until a commit consumes them", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const first = await store.submitIntent({
        runId: "run-1",
        intent: SIGNAL,
        createdAtMs: T0,
      });
      const second = await store.submitIntent({
        runId: "run-1",
        intent: { kind: "cancel" },
        createdAtMs: T0 + 1,
      });
      expect(await store.pendingIntents("run-1")).toEqual([
        { id: first, runId: "run-1", intent: SIGNAL, createdAtMs: T0, seen: false },
        { id: second, runId: "run-1", intent: { kind: "cancel" }, createdAtMs: T0 + 1, seen: false },
      ]);
      await store.commit(step({ consumedIntents: [first as number] }));
      expect((await store.pendingIntents("run-1")).map(({ id }) => id)).toEqual([second]);
    });

    it("gives each entry to one commit only; a second one is refused as a whole", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const id = await store.submitIntent({ runId: "run-1", intent: SIGNAL, createdAtMs: T0 });
      await store.commit(step({ consumedIntents: [id as number] }));
      const again = step({ run: { frameNo: 4 }, consumedIntents: [id as number] });
      expect(await codeOf(() => store.commit(again))).toBe("INTERNAL_ERROR");
      expect((await store.getRun("run-1"))?.frameNo).toBe(0);
    });

    it("does not let a run consume what was sent to another", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2" }));
      const id = await store.submitIntent({ runId: "run-2", intent: WAKE, createdAtMs: T0 });
      expect(await codeOf(() => store.commit(step({ consumedIntents: [id as number] })))).toBe(
        "INTERNAL_ERROR",
      );
      expect(await store.pendingIntents("run-2")).toHaveLength(1);
    });

    it("accepts a key once per run, also after the entry was consumed", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2" }));
      const keyed = { intent: INTENTS.approval, createdAtMs: T0, dedupeKey: "gate::0" } as const;
      const id = await store.submitIntent({ ...keyed, runId: "run-1" });
      expect(id).toBeTypeOf("number");
      expect(await store.submitIntent({ ...keyed, runId: "run-1" })).toBeUndefined();
      await store.commit(step({ consumedIntents: [id as number] }));
      expect(await store.submitIntent({ ...keyed, runId: "run-1" })).toBeUndefined();
      expect(await store.submitIntent({ ...keyed, runId: "run-2" })).toBeTypeOf("number");
      expect(await store.submitIntent({ ...keyed, runId: "run-1", dedupeKey: "gate::1" })).toBeTypeOf(
        "number",
      );
    });

    it("accepts any number of entries without a key", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const wake = { runId: "run-1", intent: WAKE, createdAtMs: T0 } as const;
      const ids = [await store.submitIntent(wake), await store.submitIntent(wake)];
      expect(new Set(ids).size).toBe(2);
    });

    it("hands unconsumed signals and cancel requests over to the run that continues", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const submit = (kind: IntentKind) =>
        store.submitIntent({ runId: "run-1", intent: INTENTS[kind], createdAtMs: T0 });
      const consumed = (await submit("signal")) as number;
      const kept = [await submit("signal"), await submit("cancel"), await submit("signal")];
      const wake = await submit("wake");
      await store.commit(
        step({
          run: { status: "continued", nextRunId: "run-2" },
          newRuns: [newRun({ runId: "run-2", parentRunId: "run-1" })],
          consumedIntents: [consumed],
        }),
      );
      expect((await store.pendingIntents("run-1")).map(({ id }) => id)).toEqual([wake]);
      expect((await store.pendingIntents("run-2")).map(({ id }) => id)).toEqual(kept);
      const late = await submit("signal");
      expect((await store.loadRun("run-2"))?.intents.map(({ id }) => id)).toEqual([...kept, late]);
    });

    it.each([
      ["finished", []],
      ["cancelled", []],
      ["failed", ["approval", "complete", "hijack", "skip"]],
    ] as const)("keeps for a run that is %s only what a resume can use: %j", async (status, kept) => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ run: { status, release: true } }));
      for (const [kind, intent] of Object.entries(INTENTS)) {
        const id = await store.submitIntent({ runId: "run-1", intent, createdAtMs: T0, dedupeKey: kind });
        expect([kind, id !== undefined]).toEqual([kind, (kept as readonly string[]).includes(kind)]);
      }
      expect((await store.pendingIntents("run-1")).map(({ intent }) => intent.kind).sort()).toEqual(kept);
    });

    it("loses its cancel requests with the end of the run, so that none of them meets a resume", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      for (const kind of ["signal", "cancel", "approval"] as const) {
        await store.submitIntent({ runId: "run-1", intent: INTENTS[kind], createdAtMs: T0 });
      }
      await store.commit(step({ run: { status: "waiting-event" } }));
      expect(await store.pendingIntents("run-1")).toHaveLength(3);
      await store.commit(step({ run: { status: "failed" } }));
      const left = await store.pendingIntents("run-1");
      expect(left.map(({ intent }) => intent.kind)).toEqual(["signal", "approval"]);
    });

    it("refuses intents for a run that does not exist", async () => {
      const store = await scenario.open();
      const lost = { runId: "none", intent: { kind: "cancel" }, createdAtMs: T0, dedupeKey: "k" } as const;
      expect(await codeOf(() => store.submitIntent(lost))).toBe("RUN_NOT_FOUND");
    });

    it("takes intents of other handles while the run is held", async () => {
      const [owner, outside] = [await scenario.open(), await scenario.open()];
      await owner.createRun(newRun());
      const id = await outside.submitIntent({ runId: "run-1", intent: { kind: "cancel" }, createdAtMs: T0 });
      expect((await owner.loadRun("run-1"))?.intents.map((intent) => intent.id)).toEqual([id]);
      expect(await owner.heartbeat(firstLease, T0 + 1)).toBe(true);
    });
  });

  describe("listeners", () => {
    it("hear of commits and intents through their handle, each kind apart", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const heard: string[] = [];
      const offCommit = store.onChange((runId) => heard.push(`commit ${runId}`));
      const offIntent = store.onIntent((runId) => heard.push(`intent ${runId}`));
      await store.commit(step({ newRuns: [newRun({ runId: "run-2" })] }));
      await store.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
      expect(heard).toEqual(["commit run-1", "commit run-2", "intent run-1"]);
      offCommit();
      offIntent();
      await store.commit(step());
      await store.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
      expect(heard).toHaveLength(3);
    });

    it("hear of requests that a commit makes of other runs", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const heard: string[] = [];
      store.onIntent((runId) => heard.push(runId));
      const request = { intent: { kind: "cancel", reason: "left" }, createdAtMs: T0 } as const;
      await store.commit(
        step({ newRuns: [newRun({ runId: "run-2" })], requests: [{ ...request, runId: "run-2" }] }),
      );
      expect(heard).toEqual(["run-2"]);
      expect(await store.pendingIntents("run-2")).toMatchObject([
        { intent: { kind: "cancel", reason: "left" } },
      ]);
    });

    it("hear nothing of writes that did not happen", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const keyed = {
        runId: "run-1",
        intent: INTENTS.approval,
        createdAtMs: T0,
        dedupeKey: "k",
      } as const;
      await store.submitIntent(keyed);
      const heard: string[] = [];
      store.onChange((runId) => heard.push(runId));
      store.onIntent((runId) => heard.push(runId));
      await codeOf(() => store.commit(step({ lease: { ...firstLease, epoch: 7 } })));
      await store.submitIntent(keyed);
      expect(heard).toEqual([]);
    });
  });
}
