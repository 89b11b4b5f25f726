import { applyDelta, encodeKeyframe } from "../../graph/frame-delta.js";
import { taskKey } from "../../model/address.js";
import type { Hold } from "../../model/alert.js";
import type { Lease, RunCommit, RunSnapshot } from "../../store/index.js";
import type { EngineServices } from "../ports.js";
import { publish } from "../session/publish.js";
import { memoryOf } from "../session/snapshot-memory.js";
import { CommitBuilder } from "../turn/commit.js";
import type { Past } from "./past-of.js";
import type { RewindPlan } from "./plan-rewind.js";

const HOLD = taskKey({ nodeId: "run:rewind", iteration: 0 });

/**
 * Makes the run what it was, in one commit under `lease`, and releases it. Its tree is that of the frame, as a frame of
 * its own: a resume compares its code with that. It waits until a process resumes it.
 * @returns the number of the event RunRewound
 */
export async function applyRewind(
  services: EngineServices,
  about: {
    now: RunSnapshot;
    past: Past;
    plan: RewindPlan;
    lease: Lease;
    effects: readonly string[];
    requestedBy?: string | undefined;
  },
): Promise<number | null> {
  const { now, past, plan, lease, effects, requestedBy } = about;
  const { runId } = now.run;
  const nowMs = services.clock.now();
  const { scheduler, ledger } = memoryOf(now);
  const commit = new CommitBuilder(scheduler.view, ledger, lease, nowMs);
  for (const attempt of now.openAttempts) {
    const { attempt: number } = attempt;
    commit.add([
      { type: "attempt-closed", key: taskKey(attempt), attempt: number, state: "interrupted", error: null },
    ]);
  }
  const resetNodes = plan.reset.map(taskKey);
  commit.event({
    type: "RunRewound",
    toFrameNo: past.frameNo,
    resetNodes,
    restoredNodes: plan.restored.map(taskKey),
    ...(effects.length > 0 && { effects: [...effects] }),
    ...(requestedBy !== undefined && { requestedBy }),
  });
  for (const { nodeId, iteration } of plan.reset) commit.event({ type: "NodePending", nodeId, iteration });
  recordFrame(commit, ledger, past);
  const reason = `it is back at frame ${past.frameNo} and continues with a resume`;
  const hold: Hold = { kind: "hold", id: HOLD, reason, asks: false, sinceMs: nowMs, isOpen: true };
  commit.add([{ type: "hold", hold }]);
  commit.event({ type: "RunPaused", reason });
  commit.run = {
    ...commit.run,
    status: "running",
    error: null,
    finishedAtMs: null,
    summary: null,
    wakeAtMs: null,
    release: true,
  };
  const built = withPast(commit.build(), { now, past, plan });
  services.crash?.("before-commit");
  await services.store.commit(built);
  services.crash?.("after-commit");
  publish({ runId, events: commit.events, watch: services.watch });
  return commit.seqOf("RunRewound");
}

function recordFrame(commit: CommitBuilder, ledger: { frameNo: number }, { runSnapshot }: Past): void {
  const { lastSnapshot } = runSnapshot;
  if (lastSnapshot.length === 0) return;
  ledger.frameNo += 1;
  const json = encodeKeyframe(applyDelta(lastSnapshot));
  commit.frames.push({
    frameNo: ledger.frameNo,
    createdAtMs: commit.now,
    reason: "control",
    nodeId: null,
    iteration: null,
    snapshot: { encoding: "keyframe", json },
    snapshotFrameNo: ledger.frameNo,
  });
  commit.event({ type: "FrameCommitted", frameNo: ledger.frameNo, reason: "control" });
}

function withPast(
  commit: RunCommit,
  { now, past, plan }: { now: RunSnapshot; past: Past; plan: RewindPlan },
): RunCommit {
  const { run } = now;
  const changed = [...plan.reset, ...plan.restored];
  const restored = new Set(plan.restored.map(taskKey));
  const outputs = new Map(now.nodes.map(({ outputKey, ...row }) => [taskKey(row), outputKey]));
  return {
    ...commit,
    nodes: changed,
    resetNodes: changed,
    removedOutputs: changed.flatMap((row) => {
      const outputKey = outputs.get(taskKey(row)) ?? "";
      return outputKey === "" ? [] : [{ ...row, outputKey }];
    }),
    restoredOutputs: past.rows.stored.filter((row) => restored.has(taskKey(row))),
    controls: [...plan.controls, ...commit.controls],
    approvals: [...plan.approvals],
    requests: plan.signals.map((signal) => ({ ...signal, runId: run.runId })),
  };
}
