import { taskKey } from "../../model/address.js";
import type { RunConfig } from "../../model/run-config.js";
import { Scheduler } from "../../scheduler/index.js";
import type { RunSnapshot } from "../../store/index.js";
import { toSchedulerIntent } from "../inbox/inbox-intent.js";
import type { CommitLedger } from "../turn/commit.js";

/**
 * The engine's memory of a run, as the database has it: every session,
 * reset and cancellation of a run begins with this.
 */
export function memoryOf(
  runSnapshot: RunSnapshot,
  config: RunConfig = runSnapshot.run.config,
  /** The host has a cap on tasks. */
  everyTaskAsks = false,
): { scheduler: Scheduler; ledger: CommitLedger } {
  const { maxConcurrency, maxInterruptions, initialIteration, initialIterations, continuation } = config;
  const scheduler = new Scheduler({
    maxConcurrency,
    everyTaskAsks,
    nodes: runSnapshot.nodes,
    controls: runSnapshot.controls,
    approvals: runSnapshot.approvals,
    signals: runSnapshot.intents.map(toSchedulerIntent).filter((intent) => intent.kind === "signal"),
    ...(maxInterruptions !== undefined && { maxInterruptions }),
    ...(initialIteration !== undefined && { initialIteration }),
    ...(initialIterations !== undefined && { initialIterations }),
    ...(continuation?.timers !== undefined && { initialTimers: continuation.timers }),
  });
  const openAttempts = new Map(runSnapshot.openAttempts.map((attempt) => [taskKey(attempt), attempt]));
  return {
    scheduler,
    ledger: { nextSeq: runSnapshot.run.nextSeq, frameNo: runSnapshot.run.frameNo, openAttempts },
  };
}
