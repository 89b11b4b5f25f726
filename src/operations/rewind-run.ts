import {
  applyRewind,
  effectNames,
  type EffectCall,
  claimRun,
  effectsSince,
  engineWorkflow,
  pastOf,
  planRewind,
  revertCalls,
  type RevertibleCall,
  revertibleCalls,
  type EngineServices,
  type RewindPlan,
  withLease,
} from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { taskKey } from "../model/address.js";
import type { NodeRow } from "../model/node.js";
import type { ToolEffect } from "../model/tool-effect.js";
import type { RunRow } from "../model/run.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { RunSnapshot } from "../store/index.js";
import { storesOfChildren, workflowsOfChildren } from "./children/child-stores.js";
import { dropChildRuns } from "./children/drop-child-runs.js";
import { refuseChildRun } from "./fork-run.js";
import type { Clock } from "../util/clock.js";
import { nodeOrder } from "./read/nodes-in-order.js";
import type { ActionResult } from "./request/action-result.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** How far a run goes back. */
export interface RewindRunOptions {
  runId: string;
  /** The frame that it goes back to. */
  frameNo: number;
  /** Although tools have changed something outside that may happen again, or that was undone and is needed. @default false */
  acceptEffects?: boolean;
  /** Undo calls of tools that can be undone; false: they count as all other effects. @default true */
  revert?: boolean;
  /** Take the run over even if another process drives it. @default false */
  force?: boolean;
  /** Who asks for it; kept in the event `RunRewound`. */
  requestedBy?: string;
  /** Only say what would change. @default false */
  dryRun?: boolean;
}

/** The difference that going back makes. */
export interface RewindResult extends ActionResult {
  runId: string;
  /** The frame that it went back to. */
  frameNo: number;
  /** Keys `nodeId::iteration` of the tasks that are pending again: their rows are discarded. */
  resetNodes: string[];
  /** Keys of those that have again the row that they had then. */
  restoredNodes: string[];
  /** Calls of tools that are undone, each as `nodeId::iteration tool`, in the order in which that happens: the newest first. */
  reverts: string[];
  /** Tools whose work was undone although the frame has the rows that came of it; each as `nodeId::iteration tool`. */
  undone: string[];
  /** Tools that have changed something outside and may do so again, each as `nodeId::iteration tool`. */
  effects: string[];
}

const RULES = {
  runId: rules.required(rules.name),
  frameNo: rules.required(rules.wholeNumber),
  acceptEffects: rules.withDefault(rules.flag, false),
  revert: rules.withDefault(rules.flag, true),
  force: rules.withDefault(rules.flag, false),
  requestedBy: rules.name,
  dryRun: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<RewindRunOptions>;

/**
 * Makes a run what it was when a frame was committed, in one commit. What came later stays readable in its log and its
 * frames, and the run can go forward to one of these in the same way. It then waits until `runWorkflow` with
 * `resume: true` continues with it.
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND, TIME_TRAVEL_SIDE_EFFECT_BLOCKED, TIME_TRAVEL_REVERT_FAILED, RUN_NOT_RESUMABLE for a run that continued
 * as another, RUN_OWNER_ALIVE, RUN_STILL_RUNNING, RUN_RESUME_CLAIM_FAILED and RUN_RESUME_CLAIM_LOST where another process
 * has it, INVALID_INPUT for a child run and for an option that is unknown or not as described
 */
export async function rewindRun(
  target: OperationTarget,
  options: RewindRunOptions,
  world: { clock?: Clock } = {},
): Promise<RewindResult> {
  const { runId, frameNo, acceptEffects, revert, force, requestedBy, dryRun } = checkOptions(
    "rewindRun",
    options,
    RULES,
  );
  const store = await storeOf(target);
  const services = engineServices(store, world);
  const run = await requireRun(store, runId);
  await refuseChildRun(store, run);
  refuseContinued(run);
  const preview = await planOf(target, run, { frameNo, revert, dryRun, services });
  const result = resultOf(preview, { runId, frameNo });
  if (dryRun) return result;
  if (!acceptEffects) refuseEffects(result);
  const lease = await claimRun(store, run, { clock: services.clock, force });
  return withLease({ store, lease }, async () => {
    // Planned again under the lease: no other process changes the run now.
    const asked = { frameNo, revert, dryRun, services };
    const first = await planOf(target, run, asked);
    const again = resultOf(first, { runId, frameNo });
    if (!acceptEffects) refuseEffects(again);
    if (first.undoable.length > 0) await revertCalls(services, { ...first, lease, calls: first.undoable });
    // Each of these is a commit of its own.
    const planned = first.undoable.length > 0 ? await planOf(target, run, asked) : first;
    const { now, past, plan } = planned;
    const { effects } = again;
    const keys = plan.reset.map(taskKey);
    const workflows = await workflowsOfChildren(target, store, { runSnapshot: now, keys });
    await dropChildRuns(services, now, { keys, workflows });
    const seq = await applyRewind(services, { now, past, plan, lease, effects, requestedBy });
    return { ...again, seq };
  });
}

interface Planned {
  now: RunSnapshot;
  past: Awaited<ReturnType<typeof pastOf>>;
  plan: RewindPlan;
  undoable: RevertibleCall[];
  reverts: string[];
  undone: string[];
  effects: string[];
}

async function planOf(
  target: OperationTarget,
  run: RunRow,
  about: { frameNo: number; revert: boolean; dryRun: boolean; services: EngineServices },
): Promise<Planned> {
  const { frameNo, revert, dryRun, services } = about;
  const { store } = services;
  const nowMs = services.clock.now();
  const past = await pastOf(store, run, frameNo);
  const now = await store.loadRun(run.runId, { asStored: true });
  if (now === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${run.runId} was deleted.`);
  const { reset, restored, ...others } = planRewind(now, past, nowMs);
  const inOrder = await nodeOrder(store, run.runId);
  const plan = { ...others, reset: reset.toSorted(inOrder), restored: restored.toSorted(inOrder) };
  const keys = [...plan.reset, ...plan.restored].map(taskKey);
  const workflows = await workflowsOfChildren(target, store, { runSnapshot: now, keys });
  const asked = [{ seq: past.rows.seq, keys }];
  const calls = await effectsSince(store, run, { asked, stores: await storesOfChildren(workflows) });
  const undoable =
    revert && "build" in target
      ? await revertibleCalls(services, engineWorkflow(target, store), { now, past, calls })
      : [];
  // Without the code a preview can only say what was to be undone when it was called.
  const isFound = new Set(undoable.map(({ effect }) => effect));
  const isKept = revert && dryRun && !("build" in target);
  const isUndone = ({ effect }: EffectCall) => effect !== null && (isKept || isFound.has(effect));
  const reverts = calls.filter(isUndone).reverse();
  return {
    now,
    past,
    plan,
    undoable,
    reverts: reverts.map(({ key, tool }) => `${key} ${tool}`),
    undone: undoneBehind(plan.restored, await store.listToolEffects(run.runId)),
    effects: effectNames(calls.filter((call) => !isUndone(call))),
  };
}

function resultOf(
  { plan, reverts, undone, effects }: Planned,
  about: { runId: string; frameNo: number },
): RewindResult {
  return {
    ...about,
    resetNodes: plan.reset.map(taskKey),
    restoredNodes: plan.restored.map(taskKey),
    reverts,
    undone,
    effects,
    seq: null,
  };
}

/** Of the attempts that rows come from. */
function undoneBehind(rows: readonly NodeRow[], journal: readonly ToolEffect[]): string[] {
  const attempts = new Map(rows.map((row) => [taskKey(row), row.lastAttempt]));
  const undone = journal.filter(
    (effect) => effect.revertState === "done" && attempts.get(taskKey(effect)) === effect.attempt,
  );
  return [...new Set(undone.map((effect) => `${taskKey(effect)} ${effect.toolName}`))];
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
function refuseEffects({ runId, frameNo, undone, effects }: RewindResult): void {
  if (undone.length > 0) {
    throw new ServiceError(
      "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
      `Frame ${frameNo} of run ${runId} has rows of tasks whose work outside was undone since: ${undone.slice(0, 10).join(", ")}${undone.length > 10 ? " …" : ""}.`,
      { details: { runId, frameNo, undone, effects } },
    );
  }
  if (effects.length === 0) return;
  throw new ServiceError(
    "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    `Since frame ${frameNo} of run ${runId}, ${effects.length} tools of tasks that would run again have changed something outside: ${effects.slice(0, 10).join(", ")}${effects.length > 10 ? " …" : ""}.`,
    { details: { runId, frameNo, effects } },
  );
}
