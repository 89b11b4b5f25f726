import {
  applyRewind,
  childWorkflows,
  claimRun,
  effectsSince,
  engineWorkflow,
  pastOf,
  planRewind,
  type RewindPlan,
  withLease,
} from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { type TaskKey, taskKey } from "../model/address.js";
import type { RunRow } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { drawn } from "../renderer/frame-waits.js";
import type { RunSnapshot, Store } from "../store/index.js";
import { dropChildRuns } from "./children/drop-child-runs.js";
import { refuseChildRun } from "./fork-run.js";
import type { Clock } from "../util/clock.js";
import { nodeOrder } from "./read/nodes-in-order.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** How far a run goes back. */
export interface RewindRunOptions {
  runId: string;
  /** The frame that it goes back to. */
  frameNo: number;
  /** Although tools of the tasks that run again have changed something outside. @default false */
  acceptEffects?: boolean;
  /** Take the run over even if another process drives it. @default false */
  force?: boolean;
  /** Who asks for it; kept in the event `RunRewound`. */
  requestedBy?: string;
  /** Only say what would change. @default false */
  dryRun?: boolean;
}

/** The difference that going back makes. */
export interface RewindResult {
  runId: string;
  /** The frame that it went back to. */
  frameNo: number;
  /** Keys `nodeId::iteration` of the tasks that are pending again: their rows are discarded. */
  resetNodes: string[];
  /** Keys of those that have again the row that they had then. */
  restoredNodes: string[];
  /** Tools that have changed something outside and may do so again, each as `nodeId::iteration tool`. */
  effects: string[];
}

const RULES = {
  runId: rules.required(rules.name),
  frameNo: rules.required(rules.wholeNumber),
  acceptEffects: rules.withDefault(rules.flag, false),
  force: rules.withDefault(rules.flag, false),
  requestedBy: rules.name,
  dryRun: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<RewindRunOptions>;

/**
 * Makes a run what it was when a frame was committed, in one commit. What came later stays readable in its log and its
 * frames, and the run can go forward to one of these in the same way. It then waits until `runWorkflow` with
 * `resume: true` continues with it.
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND, TIME_TRAVEL_SIDE_EFFECT_BLOCKED, RUN_NOT_RESUMABLE for a run that continued
 * as another, RUN_OWNER_ALIVE, RUN_STILL_RUNNING, RUN_RESUME_CLAIM_FAILED and RUN_RESUME_CLAIM_LOST where another process
 * has it, INVALID_INPUT for a child run and for an option that is unknown or not as described
 */
export async function rewindRun(
  target: OperationTarget,
  options: RewindRunOptions,
  world: { clock?: Clock } = {},
): Promise<RewindResult> {
  const { runId, frameNo, acceptEffects, force, requestedBy, dryRun } = checkOptions(
    "rewindRun",
    options,
    RULES,
  );
  const store = await storeOf(target);
  const services = engineServices(store, world);
  const run = await requireRun(store, runId);
  await refuseChildRun(store, run);
  refuseContinued(run);
  const preview = await planOf(store, run, { frameNo, nowMs: services.clock.now() });
  const result = resultOf(preview, { runId, frameNo });
  if (dryRun) return result;
  if (!acceptEffects) refuseEffects(result);
  const lease = await claimRun(store, run, { clock: services.clock, force });
  return withLease({ store, lease }, async () => {
    // Planned again under the lease: no other process changes the run now.
    const planned = await planOf(store, run, { frameNo, nowMs: services.clock.now() });
    const again = resultOf(planned, { runId, frameNo });
    if (!acceptEffects) refuseEffects(again);
    const { now, past, plan, effects } = planned;
    const keys = plan.reset.map(taskKey);
    const workflows = await workflowsOf(target, store, { now, keys });
    await dropChildRuns(services, now, { keys, workflows });
    await applyRewind(services, { now, past, plan, lease, effects, requestedBy });
    return again;
  });
}

interface Planned {
  now: RunSnapshot;
  past: Awaited<ReturnType<typeof pastOf>>;
  plan: RewindPlan;
  effects: string[];
}

async function planOf(
  store: Store,
  run: RunRow,
  { frameNo, nowMs }: { frameNo: number; nowMs: number },
): Promise<Planned> {
  const past = await pastOf(store, run, frameNo);
  const now = await store.loadRun(run.runId, { asStored: true });
  if (now === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${run.runId} was deleted.`);
  const { reset, restored, ...others } = planRewind(now, past, nowMs);
  const inOrder = await nodeOrder(store, run.runId);
  const plan = { ...others, reset: reset.toSorted(inOrder), restored: restored.toSorted(inOrder) };
  const keys = [...plan.reset, ...plan.restored].map(taskKey);
  return { now, past, plan, effects: await effectsSince(store, run, [{ seq: past.rows.seq, keys }]) };
}

function resultOf({ plan, effects }: Planned, about: { runId: string; frameNo: number }): RewindResult {
  return {
    ...about,
    resetNodes: plan.reset.map(taskKey),
    restoredNodes: plan.restored.map(taskKey),
    effects,
  };
}

/** Child runs may be in databases of their own, which their workflows know. */
async function workflowsOf(
  target: OperationTarget,
  store: Store,
  { now, keys }: { now: RunSnapshot; keys: readonly TaskKey[] },
): Promise<ReadonlyMap<TaskKey, ServiceWorkflow>> {
  const subflows = now.nodes.filter(({ kind }) => kind === "subflow").map(taskKey);
  const own = keys.filter((key) => subflows.includes(key));
  if (own.length === 0 || !("build" in target)) return new Map();
  const services = engineServices(store);
  return drawn(() =>
    childWorkflows(services, engineWorkflow(target, store), { runSnapshot: now, keys: own }),
  );
}

/** @throws RUN_NOT_RESUMABLE */
function refuseContinued({ runId, status, nextRunId }: RunRow): void {
  if (status !== "continued") return;
  throw new ServiceError(
    "RUN_NOT_RESUMABLE",
    `Run ${runId} continued as run ${nextRunId}, which has what came of it. Fork it instead.`,
    { details: { runId, nextRunId } },
  );
}

/** @throws TIME_TRAVEL_SIDE_EFFECT_BLOCKED */
function refuseEffects({ runId, frameNo, effects }: RewindResult): void {
  if (effects.length === 0) return;
  throw new ServiceError(
    "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    `Since frame ${frameNo} of run ${runId}, ${effects.length} tools of tasks that would run again have changed something outside: ${effects.slice(0, 10).join(", ")}${effects.length > 10 ? " …" : ""}.`,
    { details: { runId, frameNo, effects } },
  );
}
