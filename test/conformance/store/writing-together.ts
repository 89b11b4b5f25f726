import { describe, expect, it } from "vitest";
import type { RunCommit, RunWrite, Store } from "../../../src/store/contract.js";
import { draft, events, newRun, node, pending, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const leaseOf = (runId: string) => ({ runId, ownerId: "owner-1", epoch: 1 });

function commitOf(runId: string, overrides: Partial<RunCommit> = {}): RunWrite {
  return { type: "commit", commit: step({ lease: leaseOf(runId), ...overrides }) };
}

/** The next step of a run: an event, a node and an output row. */
function nextStep(store: Store, runId: string, overrides: Partial<RunCommit> = {}): RunWrite {
  return commitOf(runId, {
    run: { frameNo: 1 },
    nodes: [node("a", { state: "finished" })],
    events: events(0, pending("a")),
    outputs: [draft(store, "a", { text: runId, words: 1 })],
    ...overrides,
  });
}

async function openWithRuns(scenario: StoreScenario, runIds: readonly string[]): Promise<Store> {
  const store = await scenario.open();
  for (const runId of runIds) await store.createRun(newRun({ runId }));
  return store;
}

async function codesOf(store: Store, writes: readonly RunWrite[]): Promise<unknown[]> {
  const outcomes = await store.writeTogether(writes);
  return outcomes.map((outcome) => (outcome.ok ? "ok" : (outcome.error as { code?: unknown }).code));
}

async function expectNextStepOf(store: Store, runId: string) {
  const runSnapshot = await store.loadRun(runId);
  expect(runSnapshot).toMatchObject({ run: { frameNo: 1, nextSeq: 1 }, nodes: [{ nodeId: "a" }] });
  expect(runSnapshot?.outputs.map(({ row }) => row)).toMatchObject([{ text: runId }]);
}

export function writingTogether(scenario: StoreScenario): void {
  describe("writes of several runs together", () => {
    it("create runs and commit their steps", async () => {
      const store = await openWithRuns(scenario, ["a", "b"]);
      const created: RunWrite = { type: "create", run: newRun({ runId: "c" }) };
      const writes = [nextStep(store, "a"), created, nextStep(store, "b")];
      expect(await codesOf(store, writes)).toEqual(["ok", "ok", "ok"]);
      await expectNextStepOf(store, "a");
      await expectNextStepOf(store, "b");
      expect(await store.getRun("c")).toMatchObject({ ownerId: "owner-1", epoch: 1 });
    });

    it("give heartbeats, and tell whose lease is lost", async () => {
      const store = await openWithRuns(scenario, ["a", "b", "c"]);
      const [a, b, c] = [leaseOf("a"), { ...leaseOf("b"), epoch: 0 }, leaseOf("c")];
      const beats = [a, b, c].map((lease, index) => ({ lease, nowMs: T0 + 10 + index }));
      const before = await store.getRun("b");
      expect(await store.heartbeatTogether(beats)).toEqual([true, false, true]);
      expect(await store.getRun("a")).toMatchObject({ heartbeatAtMs: T0 + 10 });
      expect(await store.getRun("b")).toEqual(before);
      expect(await store.getRun("c")).toMatchObject({ heartbeatAtMs: T0 + 12 });
    });

    it("hold back a fenced run alone", async () => {
      const store = await openWithRuns(scenario, ["a", "b", "c"]);
      const stale = { ...leaseOf("b"), epoch: 0 };
      const before = await store.loadRun("b");
      const writes = [nextStep(store, "a"), nextStep(store, "b", { lease: stale }), nextStep(store, "c")];
      expect(await codesOf(store, writes)).toEqual(["ok", "RUN_RESUME_CLAIM_LOST", "ok"]);
      await expectNextStepOf(store, "a");
      await expectNextStepOf(store, "c");
      expect(await store.loadRun("b")).toEqual(before);
    });

    it("undo what a refused run had written before it was refused", async () => {
      const store = await openWithRuns(scenario, ["a", "b", "c"]);
      const before = await store.loadRun("b");
      const unknown = { outputKey: "nowhere", nodeId: "z", iteration: 0, columns: [] };
      const twice = [...events(0, pending("a")), ...events(1, pending("b"))];
      const writes = [
        nextStep(store, "a"),
        nextStep(store, "b", { events: twice, newRuns: [newRun({ runId: "d" }), newRun({ runId: "a" })] }),
        nextStep(store, "c", { outputs: [unknown] }),
      ];
      expect(await codesOf(store, writes)).toEqual(["ok", "RUN_EXISTS", "UNKNOWN_OUTPUT_SCHEMA"]);
      await expectNextStepOf(store, "a");
      expect(await store.loadRun("b")).toEqual(before);
      expect(await store.getRun("d")).toBeUndefined();
      expect((await store.loadRun("c"))?.nodes).toEqual([]);
      // Both are where they were, and continue.
      expect(await codesOf(store, [nextStep(store, "b"), nextStep(store, "c")])).toEqual(["ok", "ok"]);
    });

    it("refuse a run whose log would get a gap, and a run that does not exist", async () => {
      const store = await openWithRuns(scenario, ["a", "b"]);
      const gap = nextStep(store, "b", { events: events(5, pending("a")) });
      expect(await codesOf(store, [gap, nextStep(store, "none"), nextStep(store, "a")])).toEqual([
        "INTERNAL_ERROR",
        "RUN_RESUME_CLAIM_LOST",
        "ok",
      ]);
    });

    it("are reported to listeners by run, but for those that were refused", async () => {
      const store = await openWithRuns(scenario, ["a", "b"]);
      const told: string[] = [];
      store.onChange((runId) => told.push(runId));
      const stale = { ...leaseOf("b"), ownerId: "somebody" };
      await store.writeTogether([
        nextStep(store, "b", { lease: stale }),
        nextStep(store, "a"),
        { type: "create", run: newRun({ runId: "c" }) },
      ]);
      expect(told).toEqual(["a", "c"]);
    });

    it("are seen by another handle all at once", async () => {
      const store = await openWithRuns(scenario, ["a", "b"]);
      const other = await scenario.open();
      await store.writeTogether([nextStep(store, "a"), nextStep(store, "b")]);
      await expectNextStepOf(other, "a");
      await expectNextStepOf(other, "b");
    });

    it("of one run or none are what they are alone", async () => {
      const store = await openWithRuns(scenario, ["a"]);
      expect(await codesOf(store, [])).toEqual([]);
      expect(await codesOf(store, [nextStep(store, "a")])).toEqual(["ok"]);
      expect(await codesOf(store, [commitOf("a", { lease: { ...leaseOf("a"), epoch: 9 } })])).toEqual([
        "RUN_RESUME_CLAIM_LOST",
      ]);
    });
  });
}
