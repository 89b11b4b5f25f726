import {
  applyReset,
  childWorkflows,
  claimRun,
  engineWorkflow,
  planAround,
  planReset,
  type ResetRequest,
  withLease,
} from "../engine/index.js";
import type { KnownErrorCode, ServiceErrorCode } from "../errors/codes.js";
import { ServiceError } from "../errors/service-error.js";
import { notifyListener } from "../errors/notify-listener.js";
import type { TaskKey } from "../model/address.js";
import type { RunEvent } from "../model/events.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { drawn } from "../renderer/frame-waits.js";
import { MAX_DECISION_BYTES, type RunSnapshot, type Store } from "../store/index.js";
import { dropChildRuns } from "./children/drop-child-runs.js";
import * as rules from "../options/option-rules.js";
import { sentJson } from "../options/sent-json.js";
import { checkOptions } from "../options/check-options.js";
import type { ActionResult } from "./request/action-result.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, storeOf } from "./request/target.js";

/** Which task to run again, and what with it. */
export interface RetryTaskOptions {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default 0 */
  iteration?: number;
  /** Also run again what came after the node because of it. @default true */
  resetDependents?: boolean;
  /**
   * For the agent of the task, in the place of the prompt that the tree has: of the next attempt and of those
   * after it, until the task is retried again.
   * @default the tree's
   */
  prompt?: string;
  /** Who asks for it; kept in the event `RetryTaskStarted`, and with the prompt. */
  requestedBy?: string;
  /** Take the run over even if another process drives it. @default false */
  force?: boolean;
  /** Only say what would be reset. @default false */
  dryRun?: boolean;
  /** Called with the events it writes. */
  onProgress?(event: RunEvent): void;
}

/** The nodes that are pending again, or the reason why none is. */
export interface RetryTaskResult extends ActionResult {
  /** false when nothing was reset; `error` says why. */
  success: boolean;
  /** Keys `nodeId::iteration` of the nodes that are pending again, the asked-for one first. */
  resetNodes: string[];
  /** Why nothing was reset. Absent after success. */
  error?: string;
  /** The code of that error. Absent after success. */
  code?: ServiceErrorCode;
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.withDefault(rules.wholeNumber, 0),
  resetDependents: rules.withDefault(rules.flag, true),
  prompt: rules.name,
  requestedBy: rules.name,
  force: rules.withDefault(rules.flag, false),
  dryRun: rules.withDefault(rules.flag, false),
  onProgress: rules.callback,
} satisfies rules.OptionRules<RetryTaskOptions>;

/** Refusals of a retry, as opposed to failures. */
const REFUSALS: ReadonlySet<string> = new Set<KnownErrorCode>([
  "RUN_NOT_FOUND",
  "NODE_NOT_FOUND",
  "RUN_NOT_RESUMABLE",
  "RUN_OWNER_ALIVE",
  "RUN_STILL_RUNNING",
  "RUN_RESUME_CLAIM_FAILED",
  "RUN_RESUME_CLAIM_LOST",
  "INVALID_INPUT",
]);

/**
 * Makes a node, and what depends on it, run again. The run is left resumable;
 * `runWorkflow` with `resume: true` continues with it. A refusal is returned as a result:
 * RUN_NOT_FOUND, NODE_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_OWNER_ALIVE, RUN_STILL_RUNNING, RUN_RESUME_CLAIM_FAILED and
 * RUN_RESUME_CLAIM_LOST where another process was faster, and INVALID_INPUT for a node that cannot run again by itself.
 * @throws INVALID_INPUT for an option that is unknown or not as described
 */
export async function retryTask(
  workflow: ServiceWorkflow,
  options: RetryTaskOptions,
): Promise<RetryTaskResult> {
  const checked = checkOptions("retryTask", options, RULES);
  try {
    return await resetTask(workflow, checked);
  } catch (error) {
    if (!ServiceError.is(error) || !REFUSALS.has(error.code)) throw error;
    return { success: false, resetNodes: [], seq: null, error: error.message, code: error.code };
  }
}

/** As retryTask, for callers that report errors themselves. @throws what the result of retryTask would tell */
export async function resetTask(
  workflow: ServiceWorkflow,
  options: RetryTaskOptions,
): Promise<RetryTaskResult> {
  const store = await storeOf(workflow);
  const preview = await previewReset(store, options);
  const services = engineServices(store);
  const checked = checkOptions("retryTask", options, RULES);
  const { runId, force, dryRun, onProgress, prompt, requestedBy, ...request } = checked;
  if (dryRun) return preview;
  const source = engineWorkflow(workflow, store);
  const run = await requireRun(store, runId);
  const lease = await claimRun(store, run, { clock: services.clock, force });
  return withLease({ store, lease }, async () => {
    // Planned again under the lease: no other process changes the run now.
    const { runSnapshot, plan } = await planOf(store, { runId, ...request });
    const { keys } = plan;
    const workflows = await drawn(() => childWorkflows(services, source, { runSnapshot, keys }));
    const events = await applyReset(services, source, {
      runSnapshot,
      lease,
      plan,
      request,
      prompt,
      requestedBy,
      beforeCommit: () =>
        dropChildRuns(services, runSnapshot, {
          keys,
          workflows,
          asked: {
            key: keys[0] as TaskKey,
            askAgain: (child, task) => resetTask(child, { ...task, force }),
          },
        }),
    });
    for (const { event } of events) notifyListener(`run ${runId}`, () => onProgress?.(event));
    return { success: true, resetNodes: keys, seq: events[0]?.seq ?? null };
  });
}

/**
 * The nodes that resetTask would reset, as they are stored: neither the workflow's code nor its file is needed.
 * @throws as resetTask
 */
export async function previewReset(store: Store, options: RetryTaskOptions): Promise<RetryTaskResult> {
  const { runId, prompt, ...request } = checkOptions("retryTask", options, RULES);
  const run = await requireRun(store, runId);
  if (run.status === "continued") {
    throw new ServiceError("RUN_NOT_RESUMABLE", `Run ${runId} continued as run ${run.nextRunId}.`, {
      details: { runId, nextRunId: run.nextRunId },
    });
  }
  const { runSnapshot, plan } = await planOf(store, { runId, ...request });
  if (prompt !== undefined) refusePrompt(runSnapshot, request, prompt);
  return { success: true, resetNodes: plan.keys, seq: null };
}

/** @throws INVALID_INPUT for a task without an agent, and for a prompt that is too large */
function refusePrompt(
  { run: { runId }, nodes }: RunSnapshot,
  { nodeId, iteration }: { nodeId: string; iteration: number },
  prompt: string,
): void {
  const details = { runId, nodeId, iteration, field: "prompt" };
  sentJson(prompt, { subject: `The prompt for ${nodeId}`, limitBytes: MAX_DECISION_BYTES, details });
  const node = nodes.find((row) => row.nodeId === nodeId && row.iteration === iteration);
  if (node?.kind === "agent") return;
  throw new ServiceError("INVALID_INPUT", `${nodeId} has no agent that a prompt could be for.`, { details });
}

async function planOf(store: Store, { runId, ...request }: ResetRequest & { runId: string }) {
  const runSnapshot = await store.loadRun(runId);
  if (runSnapshot === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${runId} was deleted.`);
  const tree = await planAround(store, runSnapshot, request);
  return { runSnapshot, plan: planReset({ runSnapshot, request, tree }) };
}
