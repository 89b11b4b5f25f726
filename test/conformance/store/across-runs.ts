import { describe, expect, it } from "vitest";
import type { StoredScore } from "../../../src/model/scorer.js";
import type { NewRun, RunPatch, UsageRow } from "../../../src/store/contract.js";
import { firstLease, newRun, node, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const call: Omit<UsageRow, "runId"> = {
  nodeId: "a",
  iteration: 0,
  attempt: 1,
  callNo: 0,
  agentId: "writer",
  inputTokens: 10,
  outputTokens: 2,
  atMs: T0,
};

const scored = (scorerId: string, score: number, sampledAtMs: number): StoredScore => ({
  nodeId: "a",
  iteration: 0,
  attempt: 1,
  scorerId,
  source: "live",
  id: `scorer_${scorerId}`,
  scorerName: scorerId.toUpperCase(),
  state: "scored",
  score,
  reason: null,
  error: null,
  metaJson: null,
  inputJson: null,
  outputJson: null,
  groundTruthJson: null,
  contextJson: null,
  latencyMs: null,
  sampledAtMs,
  scoredAtMs: sampledAtMs,
  durationMs: null,
});

export function acrossRuns(scenario: StoreScenario): void {
  describe("what is counted across runs", () => {
    it("calls of agents by model, since a time, the one with the most tokens first", async () => {
      const store = await scenario.open();
      for (const runId of ["run-1", "run-2"]) {
        await store.createRun(newRun({ runId }));
        const usage = [
          { ...call, runId },
          { ...call, runId, callNo: 1, model: "large", inputTokens: 500, cacheReadTokens: 400, atMs: T0 + 5 },
          { ...call, runId, callNo: 2, model: "old", atMs: T0 - 1 },
        ];
        await store.commit(step({ lease: { ...firstLease, runId }, usage }));
      }
      const counted = { agentId: "writer", calls: 2, outputTokens: 4 };
      expect(await store.agentUse(T0)).toEqual([
        { ...counted, model: "large", inputTokens: 1_000, cacheReadTokens: 800, lastUsedAtMs: T0 + 5 },
        { ...counted, model: null, inputTokens: 20, cacheReadTokens: 0, lastUsedAtMs: T0 },
      ]);
    });

    it("tasks that wait for quota, of runs that have not ended, the first to be woken first", async () => {
      const store = await scenario.open();
      const waits = async (runId: string, status: "waiting-quota" | "failed", dueAtMs: number) => {
        await store.createRun(newRun({ runId }));
        const wait = { kind: "quota", agentId: "codex" } as const;
        const nodes = [
          node("a", { state: "waiting-quota", dueAtMs, wait }),
          node("b", { state: "finished" }),
        ];
        await store.commit(step({ lease: { ...firstLease, runId }, nodes, run: { status } }));
      };
      await waits("late", "waiting-quota", T0 + 9);
      await waits("soon", "waiting-quota", T0 + 5);
      await waits("over", "failed", T0);
      const wait = { nodeId: "a", iteration: 0, agentId: "codex" };
      expect(await store.quotaWaits(9)).toEqual([
        { ...wait, runId: "soon", resetAtMs: T0 + 5 },
        { ...wait, runId: "late", resetAtMs: T0 + 9 },
      ]);
      expect(await store.quotaWaits(1)).toHaveLength(1);
    });

    it("scores by workflow, scorer and span of time", async () => {
      const store = await scenario.open();
      const step60 = 60_000;
      const startMs = Math.floor(T0 / step60) * step60;
      const add = async (runId: string, workflowName: string, scores: StoredScore[]) => {
        await store.createRun(newRun({ runId, workflowName }));
        await store.saveScores(
          runId,
          scores.map((score) => ({ ...score, source: "batch" as const })),
        );
      };
      await add("run-1", "write", [scored("style", 0.25, startMs), scored("facts", 1, startMs + step60)]);
      await add("run-2", "write", [scored("style", 0.75, startMs + 5), scored("facts", 1, startMs - 1)]);
      await add("run-3", "other", [scored("style", 0.5, startMs)]);
      const style = { scorerId: "style", scorerName: "STYLE", startMs };
      expect(await store.scoreTrend({ sinceMs: startMs }, step60)).toEqual([
        { ...style, workflowName: "other", count: 1, sum: 0.5, min: 0.5, max: 0.5 },
        {
          workflowName: "write",
          scorerId: "facts",
          scorerName: "FACTS",
          startMs: startMs + step60,
          count: 1,
          sum: 1,
          min: 1,
          max: 1,
        },
        { ...style, workflowName: "write", count: 2, sum: 1, min: 0.25, max: 0.75 },
      ]);
      expect(await store.scoreTrend({ sinceMs: startMs, workflowName: "other" }, step60)).toHaveLength(1);
      const newest = await store.newestScores({ sinceMs: startMs, workflowName: "write" }, 2);
      expect(newest).toEqual([
        expect.objectContaining({
          runId: "run-1",
          scorerId: "facts",
          score: 1,
          sampledAtMs: startMs + step60,
        }),
        expect.objectContaining({ runId: "run-2", scorerName: "STYLE", score: 0.75, workflowName: "write" }),
      ]);
    });

    it("runs of one name by status, with how long those that have ended took", async () => {
      const store = await scenario.open();
      const add = async (runId: string, run: RunPatch, made: Partial<NewRun> = {}) => {
        await store.createRun(newRun({ runId, ...made }));
        await store.commit(step({ lease: { ...firstLease, runId }, run }));
      };
      const took = (ms: number) => ({ startedAtMs: T0 + 1, finishedAtMs: T0 + 1 + ms });
      await add("a", { status: "finished", ...took(10) });
      await add("b", { status: "finished", ...took(30) });
      await add("c", { startedAtMs: T0 + 1 });
      await add("old", { status: "failed", ...took(1) }, { nowMs: T0 - 1 });
      await add("other", { status: "failed", ...took(1) }, { workflowName: "poem" });
      expect(await store.runOutcomes({ workflowName: "essay", sinceMs: T0 })).toEqual([
        { status: "finished", count: 2, meanDurationMs: 20 },
        { status: "running", count: 1, meanDurationMs: null },
      ]);
    });
  });
}
