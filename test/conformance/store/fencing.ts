import { describe, expect, it } from "vitest";
import type { Lease, Store } from "../../../src/store/contract.js";
import { attempt, codeOf, draft, events, frame, newRun, node, pending, step, T0, WAKE } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

/** A commit that would write to every table. */
async function everything(store: Store, lease?: Lease) {
  return step({
    ...(lease !== undefined && { lease }),
    run: { status: "finished", frameNo: 9 },
    nodes: [node("a", { state: "finished" })],
    attempts: [attempt("a")],
    outputs: [draft(store, "a", { text: "late", words: 1 })],
    controls: [{ kind: "loop", id: "l", iteration: 1, done: false, exhausted: false }],
    events: events(0, pending("a")),
    frames: [frame(1, { snapshot: { encoding: "keyframe", json: "{}" } })],
    approvals: [
      {
        runId: "run-1",
        nodeId: "a",
        iteration: 0,
        status: "requested",
        mode: "gate",
        request: { title: "Go?" },
        options: null,
        allowedScopes: null,
        allowedUsers: null,
        requestHash: "h",
        requestedAtMs: T0,
        decidedAtMs: null,
        decision: null,
        autoApproved: false,
      },
    ],
    usage: [
      {
        runId: "run-1",
        nodeId: "a",
        iteration: 0,
        attempt: 1,
        callNo: 0,
        agentId: "g",
        inputTokens: 1,
        outputTokens: 1,
        atMs: T0,
      },
    ],
    newRuns: [newRun({ runId: "run-2", parentRunId: "run-1" })],
    requests: [{ runId: "run-1", intent: WAKE, createdAtMs: T0 }],
  });
}

async function claim(store: Store): Promise<Lease> {
  const run = await store.getRun("run-1");
  if (run === undefined) throw new Error("no run to claim");
  const { epoch, ownerId, heartbeatAtMs } = run;
  return store.claimRun({
    runId: "run-1",
    ownerId: "owner-2",
    nowMs: T0 + 60_000,
    expected: { epoch, ownerId, heartbeatAtMs },
  });
}

export function fencing(scenario: StoreScenario): void {
  describe("an owner that was replaced", () => {
    it("writes nothing, and learns it from RUN_RESUME_CLAIM_LOST", async () => {
      const [old, fresh] = [await scenario.open(), await scenario.open()];
      await old.createRun(newRun());
      await claim(fresh);
      const before = await fresh.loadRun("run-1");
      expect(await codeOf(async () => old.commit(await everything(old)))).toBe("RUN_RESUME_CLAIM_LOST");
      expect(await fresh.loadRun("run-1")).toEqual(before);
      expect(await fresh.listEvents("run-1", { limit: 10 })).toEqual([]);
      expect(await fresh.listFrames("run-1", { limit: 10 })).toEqual([]);
      expect(await fresh.getRun("run-2")).toBeUndefined();
    });

    it("is fenced even when it has committed before through the same handle", async () => {
      const [old, fresh] = [await scenario.open(), await scenario.open()];
      await old.createRun(newRun());
      await old.commit(step({ run: { frameNo: 1 } }));
      const lease = await claim(fresh);
      expect(await codeOf(() => old.commit(step({ run: { frameNo: 2 } })))).toBe("RUN_RESUME_CLAIM_LOST");
      await fresh.commit(await everything(fresh, lease));
      expect(await old.getRun("run-1")).toMatchObject({ frameNo: 9, status: "finished" });
      expect(await old.getOutput("run-1", "draft", "a", 0)).toEqual({ text: "late", words: 1 });
    });

    it("is fenced when the run is deleted, also if its id is used again", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ run: { status: "failed" } }));
      await store.deleteRuns(["run-1"]);
      expect(await codeOf(() => store.commit(step()))).toBe("RUN_RESUME_CLAIM_LOST");
      await store.createRun(newRun({ ownerId: "owner-3" }));
      expect(await codeOf(() => store.commit(step()))).toBe("RUN_RESUME_CLAIM_LOST");
    });
  });

  describe("a commit that fails in the middle", () => {
    it("leaves nothing behind", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "taken" }));
      const before = await store.loadRun("run-1");
      const commit = { ...(await everything(store)), newRuns: [newRun({ runId: "taken" })] };
      expect(await codeOf(() => store.commit(commit))).toBe("RUN_EXISTS");
      expect(await store.loadRun("run-1")).toEqual(before);
      await store.commit({ ...commit, newRuns: [] });
      expect(await store.getRun("run-1")).toMatchObject({ status: "finished", nextSeq: 1 });
    });
  });
}
