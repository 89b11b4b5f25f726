import { ServiceError } from "../../errors/service-error.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import type { EventBody } from "../../model/events.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import { fromTaggedJson, type Lease, type RunSnapshot } from "../../store/index.js";
import { orAborted } from "../../tools/tool-call.js";
import { keptError } from "../attempt/without-secrets.js";
import type { EngineServices } from "../ports.js";
import { HEARTBEAT_MS } from "../session/lease.js";
import { publish } from "../session/publish.js";
import { memoryOf } from "../session/snapshot-memory.js";
import { CommitBuilder } from "../turn/commit.js";
import type { RevertibleCall } from "./revertible-calls.js";

/**
 * Undoes calls one after the other, under the run's lease. That one is begun is committed before it is called and that it
 * is done after it, so that a process which dies in between calls it again, with the same key, and no other twice.
 * @throws TIME_TRAVEL_REVERT_FAILED; the run is as it was then, apart from what has been undone
 */
export async function revertCalls(
  services: EngineServices,
  { now, lease, calls }: { now: RunSnapshot; lease: Lease; calls: readonly RevertibleCall[] },
): Promise<void> {
  const { scheduler, ledger } = memoryOf(now);
  const { runId } = now.run;
  const write = async (effect: ToolEffect, body: EventBody) => {
    const commit = new CommitBuilder(scheduler.view, ledger, lease, services.clock.now());
    commit.keepEffect(effect);
    commit.event(body);
    services.crash?.("before-commit");
    await services.store.commit(commit.build());
    services.crash?.("after-commit");
    publish({ runId, events: commit.events, watch: services.watch });
  };
  const endBeats = keepAlive(services, lease);
  try {
    for (const [index, call] of calls.entries()) {
      const { nodeId, iteration, attempt, callNo: seq, toolName } = call.effect;
      const about = { nodeId, iteration, attempt, toolName, seq };
      const begun = { ...call.effect, revertState: "begun" as const };
      await write(begun, { type: "EffectRevertStarted", ...about });
      try {
        await callRevert(services, now, call);
      } catch (thrown) {
        const error = keptError(thrown, now.run.config);
        await write(begun, { type: "EffectRevertFailed", ...about, error: error.message });
        throw new ServiceError(
          "TIME_TRAVEL_REVERT_FAILED",
          `Tool ${toolName} of task ${nodeId} could not undo what it has done: ${error.message}. ${index} of ${calls.length} calls are undone; run ${runId} is where it was.`,
          { details: { runId, ...about, undone: index }, cause: thrown },
        );
      }
      await write({ ...begun, revertState: "done" }, { type: "EffectRevertFinished", ...about });
    }
  } finally {
    endBeats();
  }
}

async function callRevert(
  { clock }: EngineServices,
  { run }: RunSnapshot,
  { effect, revert, rootDir }: RevertibleCall,
): Promise<void> {
  const { nodeId, iteration, attempt, toolName, idempotencyKey, argsJson, resultJson, outcome } = effect;
  const { toolTimeoutMs = RUN_DEFAULTS.toolTimeoutMs, allowNetwork = false } = run.config;
  const controller = new AbortController();
  const disarm = clock.setDelay(toolTimeoutMs, () =>
    controller.abort(
      new ServiceError(
        "TOOL_TIMEOUT",
        `The revert of tool ${toolName} ran longer than ${toolTimeoutMs} ms.`,
        {
          details: { toolName, timeoutMs: toolTimeoutMs },
        },
      ),
    ),
  );
  const { signal } = controller;
  const context = {
    runId: run.runId,
    nodeId,
    iteration,
    attempt,
    rootDir,
    allowNetwork,
    toolName,
    outcome,
    // Attempts that have made the same call have one key: a service that knows keys has performed it once.
    idempotencyKey: `${idempotencyKey}:revert`,
    signal,
  };
  const result = resultJson === null ? undefined : fromTaggedJson(resultJson);
  try {
    await orAborted(signal, () => revert(fromTaggedJson(argsJson), result, context));
  } finally {
    disarm();
  }
}

/** A revert may take longer than a lease lives without a sign of life. */
function keepAlive({ store, clock }: EngineServices, lease: Lease): () => void {
  let disarm = () => {};
  const beat = async () => {
    // Whether it was taken, the next commit says.
    await Promise.resolve(store.heartbeat(lease, clock.now())).catch(() => false);
  };
  const arm = () => {
    disarm = clock.setDelay(HEARTBEAT_MS, () => {
      arm();
      beat().catch(() => {});
    });
  };
  arm();
  return () => disarm();
}
