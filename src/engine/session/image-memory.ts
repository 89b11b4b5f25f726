import { taskKey } from "../../model/address.js";
import type { RunConfig } from "../../model/run-config.js";
import { Scheduler } from "../../scheduler/scheduler.js";
import type { RunImage } from "../../store/contract.js";
import { toSchedulerIntent } from "../inbox/inbox-intent.js";
import type { CommitLedger } from "../turn/commit.js";

/**
 * What the engine keeps of a run in memory, as the database has it: every session,
 * reset and cancellation of a run begins with this.
 */
export function memoryOf(
  image: RunImage,
  config: RunConfig = image.run.config,
  /** The host has a cap on tasks. */
  everyTaskAsks = false,
): { scheduler: Scheduler; ledger: CommitLedger } {
  const { maxConcurrency, maxInterruptions, initialIteration, initialIterations, continuation } = config;
  const scheduler = new Scheduler({
    maxConcurrency,
    everyTaskAsks,
    nodes: image.nodes,
    controls: image.controls,
    approvals: image.approvals,
    signals: image.intents.map(toSchedulerIntent).filter((intent) => intent.kind === "signal"),
    ...(maxInterruptions !== undefined && { maxInterruptions }),
    ...(initialIteration !== undefined && { initialIteration }),
    ...(initialIterations !== undefined && { initialIterations }),
    ...(continuation?.timers !== undefined && { initialTimers: continuation.timers }),
  });
  const openAttempts = new Map(image.openAttempts.map((attempt) => [taskKey(attempt), attempt]));
  return { scheduler, ledger: { nextSeq: image.run.nextSeq, frameNo: image.run.frameNo, openAttempts } };
}
