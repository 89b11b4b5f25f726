import { applyDelta } from "../../graph/frame-delta.js";
import { parseTaskKey, taskKey } from "../../model/address.js";
import type { StoredEvent } from "../../model/events.js";
import { drawn } from "../../renderer/frame-waits.js";
import type { Lease, RunSnapshot, StoredFacts } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { memoryOf } from "../session/snapshot-memory.js";
import { publish } from "../session/publish.js";
import { compareTasks } from "../turn/change-check.js";
import { CommitBuilder, toRunEvent } from "../turn/commit.js";
import { FrameLog } from "../turn/frames.js";
import { promptsAfter } from "./edited-prompts.js";
import type { ResetRequest } from "./plan-reset.js";
import { renderRunSnapshot, resetRunSnapshot, type ResetPlan } from "./reset-snapshot.js";
import { isAboutRow } from "./unusable-row.js";

/** Makes the planned nodes pending again and leaves the run resumable, in one commit under `lease`, whose events it answers. */
export async function applyReset(
  services: EngineServices,
  workflow: EngineWorkflow,
  about: {
    runSnapshot: RunSnapshot;
    lease: Lease;
    plan: ResetPlan;
    request: ResetRequest;
    /** For the agent of the asked-for node. @default its own */
    prompt?: string | undefined;
    requestedBy?: string | undefined;
    /** Called once nothing but the commit is left to do. */
    beforeCommit?(): Promise<void>;
  },
): Promise<StoredEvent[]> {
  const { runSnapshot, lease, plan, request, prompt, requestedBy } = about;
  const { run } = runSnapshot;
  const now = services.clock.now();
  const after = resetRunSnapshot(runSnapshot, plan, { now, decisions: "forgotten" });
  const { scheduler, ledger } = memoryOf(after);
  const commit = new CommitBuilder(scheduler.view, ledger, lease, now);
  const { nodeId, iteration, resetDependents } = request;
  const resetNodes = plan.keys;
  const edited = {
    ...(prompt !== undefined && { hasEditedPrompt: true as const }),
    ...(requestedBy !== undefined && { requestedBy }),
  };
  commit.event({ type: "RetryTaskStarted", nodeId, iteration, resetDependents, resetNodes, ...edited });
  recordReset(commit, after, plan);
  commit.prompts.push(
    ...promptsAfter(runSnapshot.controls, plan.keys, { prompt, editedBy: requestedBy ?? null }),
  );
  await drawn(() => recordFrame(services, workflow, { before: runSnapshot, after, commit, ledger }));
  commit.event({ type: "RetryTaskFinished", nodeId, iteration, resetNodes, success: true });
  commit.run = { status: "running", error: null, finishedAtMs: null, summary: null, release: true };
  await about.beforeCommit?.();
  await services.store.commit(commit.build());
  publish({ runId: run.runId, events: commit.events, watch: services.watch });
  return commit.events.map((event) => ({ seq: event.seq, event: toRunEvent(run.runId, event) }));
}

/**
 * Removed rows may shape the tree, and a resume compares its tree with the newest
 * frame: the same code must give the same again. With changed code there is
 * nothing to add: the resume says what has changed.
 */
function recordFrame(
  services: EngineServices,
  workflow: EngineWorkflow,
  about: { before: RunSnapshot; after: RunSnapshot; commit: CommitBuilder; ledger: { frameNo: number } },
): void {
  const { before, after, commit, ledger } = about;
  const { lastSnapshot } = before;
  if (lastSnapshot.length === 0) return;
  const stored = applyDelta(lastSnapshot);
  if (!isAsStored(services, workflow, { runSnapshot: before, stored })) return;
  const frame = renderRunSnapshot(services, workflow, after);
  const frameNo = ledger.frameNo + 1;
  const shown = new FrameLog(lastSnapshot).show(frame, frameNo);
  if (shown.snapshot === undefined) return;
  ledger.frameNo = frameNo;
  const reason = "control";
  commit.frames.push({ frameNo, createdAtMs: commit.now, reason, nodeId: null, iteration: null, ...shown });
  commit.event({ type: "FrameCommitted", frameNo, reason });
}

/** Not where a row keeps the tree from being drawn, either: then the newest frame is from before that row. */
function isAsStored(
  services: EngineServices,
  workflow: EngineWorkflow,
  { runSnapshot, stored }: { runSnapshot: RunSnapshot; stored: ReturnType<typeof applyDelta> },
): boolean {
  try {
    return compareTasks(stored.tasks, renderRunSnapshot(services, workflow, runSnapshot)).length === 0;
  } catch (thrown) {
    if (isAboutRow(thrown)) return false;
    throw thrown;
  }
}

/** Adds to a commit what a reset changes; the commit's state is that of `after`. */
export function recordReset(commit: CommitBuilder, after: StoredFacts, { keys, controls }: ResetPlan): void {
  const isReset = new Set(keys);
  for (const key of keys) {
    commit.add([{ type: "node", key }]);
    commit.resetNodes.push(parseTaskKey(key));
  }
  for (const { nodeId, iteration, outputKey } of after.nodes) {
    if (outputKey === "" || !isReset.has(taskKey({ nodeId, iteration }))) continue;
    commit.removedOutputs.push({ outputKey, nodeId, iteration });
  }
  for (const row of after.approvals) {
    if (isReset.has(taskKey(row))) commit.add([{ type: "approval", row }]);
  }
  for (const { id } of controls) commit.add([{ type: "control", id }]);
}
