import type { NodeRow } from "../../../src/model/node.js";
import { describe, expect, it } from "vitest";
import { codeOf, INTENTS, newRun, node, step, T0 } from "./fixtures.js";
import type { RunRow } from "../../../src/model/run.js";
import type { IntentKind } from "../../../src/model/intent.js";
import type { NewRun, RunPatch, Store } from "../../../src/store/contract.js";
import type { RunPosition, RunTimeFilter } from "../../../src/store/filters.js";
import type { StoreScenario } from "./scenario.js";

const DAY = 24 * 60 * 60_000;

export function runs(scenario: StoreScenario): void {
  describe("runs", () => {
    it("start as running, held by their creator", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ workflowPath: "essay.tsx", workflowHash: "h1" }));
      expect(await store.getRun("run-1")).toEqual({
        runId: "run-1",
        parentRunId: null,
        workflowName: "essay",
        workflowPath: "essay.tsx",
        workflowHash: "h1",
        status: "running",
        createdAtMs: T0,
        startedAtMs: null,
        finishedAtMs: null,
        heartbeatAtMs: T0,
        ownerId: "owner-1",
        epoch: 1,
        frameNo: 0,
        nextSeq: 0,
        error: null,
        summary: null,
        paused: null,
        wakeAtMs: null,
        deaths: 0,
        inCompany: false,
        lostStarts: 0,
        config: { maxConcurrency: 4, requireRerenderOnOutputChange: true },
        nextRunId: null,
      });
    });

    it("made for another process are held by none", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ ownerId: null }));
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: null, epoch: 0, heartbeatAtMs: null });
    });

    it("keep their whole configuration", async () => {
      const store = await scenario.open();
      const config = {
        maxConcurrency: 2,
        requireRerenderOnOutputChange: false,
        annotations: { team: "docs", prio: 3, urgent: true },
        auth: { triggeredBy: "ada", role: "dev", scopes: ["*"], createdAt: "2024-05-01T00:00:00.000Z" },
        continuation: {
          fromRunId: "run-0",
          depth: 1,
          state: { seen: ["a", "ä", "🙂"] },
          loops: { refine: 3 },
        },
      };
      await store.createRun(newRun({ config }));
      expect((await store.getRun("run-1"))?.config).toEqual(config);
    });

    it("refuse an id that is taken, and leave the first run as it was", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect(await codeOf(() => store.createRun(newRun({ input: { topic: "coffee" } })))).toBe("RUN_EXISTS");
      expect(await store.getInput("run-1")).toEqual({ topic: "tea" });
    });

    it("are undefined when they were not made", async () => {
      const store = await scenario.open();
      expect(await store.getRun("none")).toBeUndefined();
      expect(await store.getInput("none")).toBeUndefined();
      expect(await store.loadRun("none")).toBeUndefined();
    });

    it("give their input back as it was stored", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ input: { topic: "tea", depth: 3 } }));
      await store.createRun(newRun({ runId: "run-2" }));
      expect(await store.getInput("run-1")).toEqual({ topic: "tea", depth: 3 });
      expect(await store.getInput("run-2")).toEqual({ topic: "tea" });
    });

    it("take every member of a patch, and only those", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const error = {
        name: "ServiceError",
        code: "TASK_TIMEOUT",
        message: "too slow",
        details: { nodeId: "a" },
      };
      const summary = { failedChildKeys: ["a::0"] };
      await store.commit(
        step({
          run: {
            status: "failed",
            workflowName: "renamed",
            frameNo: 7,
            startedAtMs: T0 + 1,
            finishedAtMs: T0 + 2,
            error,
            summary,
            paused: { reason: "an alert", sinceMs: T0 },
            wakeAtMs: T0 + 60_000,
            nextRunId: "run-2",
          },
        }),
      );
      const patched = await store.getRun("run-1");
      expect(patched).toMatchObject({
        status: "failed",
        workflowName: "renamed",
        frameNo: 7,
        startedAtMs: T0 + 1,
        finishedAtMs: T0 + 2,
        error,
        summary,
        paused: { reason: "an alert", sinceMs: T0 },
        wakeAtMs: T0 + 60_000,
        nextRunId: "run-2",
        ownerId: "owner-1",
      });
      await store.commit(
        step({ run: { error: null, summary: null, paused: null, wakeAtMs: null, finishedAtMs: null } }),
      );
      expect(await store.getRun("run-1")).toEqual({
        ...patched,
        error: null,
        summary: null,
        paused: null,
        wakeAtMs: null,
        finishedAtMs: null,
      });
    });
  });

  describe("lists of runs", () => {
    it("are newest first, and filtered by status, workflow, parent and time", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ runId: "a", nowMs: T0 }));
      await store.createRun(newRun({ runId: "b", nowMs: T0 + 1, workflowName: "poem", ownerId: "owner-1" }));
      await store.createRun(newRun({ runId: "c", nowMs: T0 + 2, parentRunId: "a" }));
      await store.commit(
        step({
          lease: { runId: "b", ownerId: "owner-1", epoch: 1 },
          run: { status: "finished", finishedAtMs: T0 + 50 },
        }),
      );
      const ids = async (filter: object) =>
        (await store.listRuns({ limit: 10, ...filter })).map(({ runId }) => runId);
      expect(await ids({})).toEqual(["c", "b", "a"]);
      expect(await ids({ statuses: ["finished"] })).toEqual(["b"]);
      expect(await ids({ statuses: ["finished", "running"] })).toEqual(["c", "b", "a"]);
      expect(await ids({ statuses: [] })).toEqual([]);
      expect(await ids({ workflowName: "essay" })).toEqual(["c", "a"]);
      expect(await ids({ parentRunId: "a" })).toEqual(["c"]);
      expect(await ids({ createdBeforeMs: T0 + 1 })).toEqual(["a"]);
      expect(await ids({ createdAfterMs: T0 + 1 })).toEqual(["c", "b"]);
      expect(await ids({ finishedBeforeMs: T0 + 50 })).toEqual([]);
      expect(await ids({ finishedBeforeMs: T0 + 51 })).toEqual(["b"]);
      expect(await ids({ limit: 1 })).toEqual(["c"]);
    });

    it("are counted by status and span of time, however long the span is", async () => {
      const store = await scenario.open();
      const made = [T0, T0 + 1, T0 + 60_000, T0 + 60_000, T0 + 400 * DAY];
      for (const [index, nowMs] of made.entries()) {
        const workflowName = index === 2 ? "poem" : "essay";
        await store.createRun(newRun({ runId: `r${index}`, nowMs, workflowName, ownerId: "owner-1" }));
      }
      const lease = { runId: "r1", ownerId: "owner-1", epoch: 1 };
      await store.commit(step({ lease, run: { status: "failed", finishedAtMs: T0 + 50 } }));
      const counted = async (filter: RunTimeFilter, stepMs: number) =>
        (await store.countRunsByTime(filter, stepMs)).map(({ startMs, status, count }) => [
          startMs,
          status,
          count,
        ]);
      const minute = (at: number) => at - (at % 60_000);
      expect(await counted({ createdBeforeMs: T0 + DAY }, 60_000)).toEqual([
        [minute(T0), "failed", 1],
        [minute(T0), "running", 1],
        [minute(T0) + 60_000, "running", 2],
      ]);
      const span = 60 * DAY;
      expect(await counted({ statuses: ["running"] }, span)).toEqual([
        [T0 - (T0 % span), "running", 3],
        [T0 + 400 * DAY - ((T0 + 400 * DAY) % span), "running", 1],
      ]);
      expect(await counted({ workflowName: "poem", createdAfterMs: T0 + 1 }, DAY)).toHaveLength(1);
      expect(await counted({ statuses: [] }, DAY)).toEqual([]);
      expect(await store.oldestRun({ workflowName: "poem" })).toBe(T0 + 60_000);
      expect(await store.oldestRun({ statuses: ["cancelled"] })).toBeUndefined();
    });

    it("give runs of one millisecond by the order in which they were made, page for page", async () => {
      const store = await scenario.open();
      const all = ["r3", "r1", "r5", "r2", "r4"];
      for (const runId of all) await store.createRun(newRun({ runId }));
      const seen: string[] = [];
      let after: RunPosition | undefined;
      for (;;) {
        const page = await store.listRuns({ limit: 2, ...(after !== undefined && { after }) });
        after = page.at(-1);
        if (after === undefined) break;
        seen.push(...page.map(({ runId }) => runId));
      }
      expect(seen).toEqual(all.toReversed());
    });

    it("find ids by prefix, newest first", async () => {
      const store = await scenario.open();
      for (const [index, runId] of ["ab1", "ab2", "b1", "ab%", "AB3"].entries()) {
        await store.createRun(newRun({ runId, nowMs: T0 + index }));
      }
      expect(await store.findRunIds("ab", 10)).toEqual(["ab%", "ab2", "ab1"]);
      expect(await store.findRunIds("ab%", 10)).toEqual(["ab%"]);
      expect(await store.findRunIds("", 2)).toEqual(["AB3", "ab%"]);
      expect(await store.findRunIds("zz", 10)).toEqual([]);
    });
  });
  describe("runs that stir", () => {
    /** A run that waits without an owner; its last owner was seen at T0. */
    async function suspend(
      store: Store,
      runId: string,
      patch: RunPatch = {},
      overrides: Partial<NewRun> = {},
    ) {
      await store.createRun(newRun({ runId, ...overrides }));
      const run = { status: "waiting-event" as const, release: true, ...patch };
      await store.commit(step({ lease: { runId, ownerId: "owner-1", epoch: 1 }, run }));
    }
    const stirring = async (store: Store, query: object = {}) =>
      (await store.wakingRuns({ nowMs: T0 + 100, limit: 10, ...query })).map(({ runId }) => runId);

    it("are those that run, and those that wait with an owner or a time that has come", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ runId: "running" }));
      await suspend(store, "asleep", { wakeAtMs: T0 + 101 });
      await suspend(store, "awake", { wakeAtMs: T0 + 100 });
      await suspend(store, "held", { release: false });
      await suspend(store, "paused", { wakeAtMs: T0, paused: { reason: "an alert", sinceMs: T0 } });
      await suspend(store, "ended", { status: "failed", wakeAtMs: T0 });
      expect(await stirring(store)).toEqual(["awake", "held", "running"]);
    });

    it("are due by time alone at the earliest moment that one of them waits for, which is neither paused nor over", async () => {
      const store = await scenario.open();
      expect(await store.nextWake()).toBeUndefined();
      await suspend(store, "late", { wakeAtMs: T0 + 200 });
      await suspend(store, "early", { wakeAtMs: T0 + 100 });
      await suspend(store, "untimed");
      await suspend(store, "paused", { wakeAtMs: T0 + 1, paused: { reason: "an alert", sinceMs: T0 } });
      await suspend(store, "ended", { status: "failed", wakeAtMs: T0 + 1 });
      expect(await store.nextWake()).toBe(T0 + 100);
    });

    it("are those whose inbox has an entry that the last owner did not know, whatever its sender's clock showed", async () => {
      const store = await scenario.open();
      for (const runId of ["decided", "seen-signal", "signal", "quiet"]) await suspend(store, runId);
      const submit = (runId: string, kind: IntentKind, createdAtMs: number) =>
        store.submitIntent({ runId, intent: INTENTS[kind], createdAtMs });
      await submit("decided", "approval", T0 - 1);
      const known = (await submit("seen-signal", "signal", T0 + 50)) as number;
      const reader = { runId: "seen-signal", ownerId: "reader", nowMs: T0 };
      const before = (await store.getRun("seen-signal")) as RunRow;
      const reading = await store.claimRun({
        ...reader,
        expected: { epoch: before.epoch, ownerId: before.ownerId, heartbeatAtMs: before.heartbeatAtMs },
      });
      await store.commit(step({ lease: reading, seenIntents: [known], run: { release: true } }));
      await submit("signal", "signal", T0 - 5);
      const seen = (await submit("quiet", "cancel", T0 + 5)) as number;
      const { epoch, ownerId, heartbeatAtMs } = (await store.getRun("quiet")) as RunRow;
      const expected = { epoch, ownerId, heartbeatAtMs };
      const lease = await store.claimRun({ runId: "quiet", ownerId: "o", nowMs: T0, expected });
      await store.commit(step({ lease, consumedIntents: [seen], run: { release: true } }));
      expect(await stirring(store)).toEqual(["decided", "signal"]);
    });

    it("are those whose entry became known after one with a higher number had been taken note of", async () => {
      const store = await scenario.open();
      await suspend(store, "run");
      const submit = (createdAtMs: number) =>
        store.submitIntent({ runId: "run", intent: INTENTS.signal, createdAtMs });
      const [late, early] = [await submit(T0 + 1), await submit(T0 + 2)] as [number, number];
      const note = async (id: number) => {
        const { epoch, ownerId, heartbeatAtMs } = (await store.getRun("run")) as RunRow;
        const expected = { epoch, ownerId, heartbeatAtMs };
        const lease = await store.claimRun({ runId: "run", ownerId: "reader", nowMs: T0, expected });
        await store.commit(step({ lease, seenIntents: [id], run: { release: true } }));
      };
      await note(early);
      expect(await stirring(store)).toEqual(["run"]);
      await note(late);
      expect(await stirring(store)).toEqual([]);
    });

    it("are those with a node that waits for a child run which has ended, or continued as new", async () => {
      const store = await scenario.open();
      const parent = async (runId: string, state: NodeRow["state"], patch: RunPatch) => {
        await store.createRun(newRun({ runId }));
        const nodes = [node("part", { state })];
        const run = { status: "waiting-event" as const, release: true };
        await store.commit(step({ lease: { runId, ownerId: "owner-1", epoch: 1 }, run, nodes }));
        await suspend(store, `${runId}:part:0`, patch, { parentRunId: runId });
      };
      await parent("live", "waiting-event", {});
      await parent("seen", "finished", { status: "finished", finishedAtMs: T0 + 50 });
      await parent("news", "waiting-timer", { status: "failed", finishedAtMs: T0 - 50 });
      await parent("chain", "waiting-event", { status: "continued", finishedAtMs: T0 - 1 });
      expect(await stirring(store)).toEqual(["chain", "news"]);
    });

    it("come oldest first, page by page", async () => {
      const store = await scenario.open();
      for (const [index, runId] of ["c", "b", "a", "d"].entries()) {
        await store.createRun(newRun({ runId, nowMs: T0 + Math.min(index, 1) }));
      }
      expect(await stirring(store, { limit: 2 })).toEqual(["c", "a"]);
      expect(await stirring(store, { limit: 2, after: { createdAtMs: T0 + 1, runId: "a" } })).toEqual([
        "b",
        "d",
      ]);
      expect(await stirring(store, { limit: 2, after: { createdAtMs: T0 + 1, runId: "d" } })).toEqual([]);
    });
  });
}
