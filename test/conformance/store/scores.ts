import { describe, expect, it } from "vitest";
import type { StoredScore } from "../../../src/model/scorer.js";
import type { RunWrite } from "../../../src/store/contract.js";
import { firstLease, newRun, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

function pending(nodeId: string, overrides: Partial<StoredScore> = {}): StoredScore {
  return {
    nodeId,
    iteration: 0,
    attempt: 1,
    scorerId: "style",
    source: "live",
    id: `scorer_${nodeId}`,
    scorerName: "Style",
    state: "pending",
    score: null,
    reason: null,
    error: null,
    metaJson: null,
    inputJson: '"Write."',
    outputJson: '{"text":"Ünïcode"}',
    groundTruthJson: null,
    contextJson: '["rule"]',
    latencyMs: 5,
    sampledAtMs: T0,
    scoredAtMs: null,
    durationMs: null,
    ...overrides,
  };
}

const address = ({ nodeId, iteration, attempt, scorerId, source }: StoredScore) => {
  return { nodeId, iteration, attempt, scorerId, source };
};

/** As a list shows it. */
function listed(score: StoredScore, runId = "run-1") {
  const { groundTruthJson: _truth, contextJson: _context, ...shown } = score;
  return { runId, ...shown };
}

export function scores(scenario: StoreScenario): void {
  describe("scores", () => {
    it("may be sampled and ended by one commit, also together with those of other runs", async () => {
      const store = await scenario.open();
      const writes: RunWrite[] = [];
      for (const runId of ["run-1", "run-2"]) {
        await store.createRun(newRun({ runId }));
        const end = { score: null, reason: null, metaJson: null, scoredAtMs: T0, durationMs: null };
        const commit = step({
          lease: { ...firstLease, runId },
          sampledScores: [pending("a")],
          scoreEnds: [
            { ...address(pending("a")), ...end, state: "failed", error: { name: "Error", message: "m" } },
          ],
        });
        writes.push({ type: "commit", commit });
      }
      expect(await store.writeTogether(writes)).toEqual([{ ok: true }, { ok: true }]);
      expect((await store.loadRun("run-1"))?.pendingScores).toEqual([]);
      expect(await store.listScores({ runId: "run-2", limit: 9 })).toMatchObject([{ state: "failed" }]);
    });

    it("are sampled by a commit, and end by another", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const [a, b] = [pending("a"), pending("b", { groundTruthJson: '{"text":"y"}', sampledAtMs: T0 + 1 })];
      await store.commit(step({ sampledScores: [b, a] }));
      expect((await store.loadRun("run-1"))?.pendingScores).toEqual([a, b]);
      const end = {
        state: "scored" as const,
        score: 0.125,
        reason: "short",
        error: null,
        metaJson: '{"words":1}',
        scoredAtMs: T0 + 9,
        durationMs: 3,
      };
      await store.commit(step({ scoreEnds: [{ ...address(a), ...end }] }));
      expect((await store.loadRun("run-1"))?.pendingScores).toEqual([b]);
      expect(await store.listScores({ runId: "run-1", limit: 9 })).toEqual([
        listed({ ...a, ...end }),
        listed(b),
      ]);
    });

    it("of another source are not what a run has to finish", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ sampledScores: [pending("a", { source: "batch" })] }));
      expect((await store.loadRun("run-1"))?.pendingScores).toEqual([]);
    });

    it("are not written by a process that has lost the run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const stale = { ...firstLease, epoch: 0 };
      await expect(
        (async () => store.commit(step({ lease: stale, sampledScores: [pending("a")] })))(),
      ).rejects.toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
      expect(await store.listScores({ limit: 9 })).toEqual([]);
    });

    it("are found by run, node, iteration, scorer and state, page by page", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2" }));
      const own = [
        pending("a"),
        pending("a", { iteration: 1 }),
        pending("a", { scorerId: "tone", state: "scored", score: 1 }),
        pending("b", { sampledAtMs: T0 - 1 }),
      ];
      await store.commit(step({ sampledScores: own }));
      const other = pending("a");
      await store.commit(step({ lease: { ...firstLease, runId: "run-2" }, sampledScores: [other] }));
      const find = async (filter: Omit<Parameters<typeof store.listScores>[0], "limit">) =>
        (await store.listScores({ ...filter, limit: 9 })).map(
          (row) => `${row.runId} ${row.nodeId}${row.iteration} ${row.scorerId}`,
        );
      const inOrder = ["run-1 b0 style", "run-1 a0 style", "run-1 a0 tone", "run-1 a1 style"];
      expect(await find({ runId: "run-1" })).toEqual(inOrder);
      expect(await find({})).toEqual([...inOrder, "run-2 a0 style"]);
      expect(await find({ runId: "run-1", nodeId: "b" })).toEqual(inOrder.slice(0, 1));
      expect(await find({ runId: "run-1", nodeId: "a", iteration: 1 })).toEqual(inOrder.slice(3));
      expect(await find({ scorerId: "tone" })).toEqual(inOrder.slice(2, 3));
      expect(await find({ state: "scored" })).toEqual(inOrder.slice(2, 3));
      const [second] = (await store.listScores({ limit: 2 })).slice(1);
      expect(await find({ after: second as NonNullable<typeof second> })).toEqual([
        ...inOrder.slice(2),
        "run-2 a0 style",
      ]);
    });

    it("go with their run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ sampledScores: [pending("a")], run: { status: "finished", release: true } }));
      await store.deleteRuns(["run-1"]);
      expect(await store.listScores({ limit: 9 })).toEqual([]);
    });
  });
}
