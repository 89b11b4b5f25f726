import { ServiceError } from "../../errors/service-error.js";
import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { PlanNode, ScopeState } from "../../model/plan.js";
import { type CompiledPlan, compilePlan } from "../../scheduler/index.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { planReset } from "./plan-reset.js";
import { renderRunSnapshot, resetRunSnapshot, type ResetPlan } from "./reset-snapshot.js";
import { undoneSteps } from "./rewind.js";

/**
 * An explicit resume of an ended run gives what stopped it another chance.
 * Failures that a saga or try block has already dealt with stay as they are.
 */
export function reopenRun(
  services: EngineServices,
  workflow: EngineWorkflow,
  stored: RunSnapshot,
): { runSnapshot: RunSnapshot; reopening: Reopening | null } {
  const frame = failedBlocks(stored).length === 0 ? null : renderRunSnapshot(services, workflow, stored);
  const reopening = frame === null ? null : { frame, ...planBlocks(stored, frame.plan) };
  return { runSnapshot: reopened(stored, reopening, services.clock.now()), reopening };
}

/**
 * Whether a resume of the ended run lets a failed task run again.
 * @param tree of the run, as its newest frame has it
 */
export function isReopened(stored: RunSnapshot, tree: PlanNode, key: TaskKey): boolean {
  const blocks = failedBlocks(stored).length === 0 ? null : planBlocks(stored, tree);
  const then = reopened({ ...stored, nodes: stored.nodes.map((row) => ({ ...row })) }, blocks, 0);
  return then.nodes.some((row) => taskKey(row) === key && row.state === "pending");
}

function reopened(
  stored: RunSnapshot,
  blocks: Pick<Reopening, "reset" | "kept"> | null,
  now: number,
): RunSnapshot {
  const runSnapshot =
    blocks === null ? stored : resetRunSnapshot(stored, blocks.reset, { now, decisions: "put-aside" });
  reopenNodes(runSnapshot, blocks?.kept ?? new Set());
  return runSnapshot;
}

function reopenNodes(runSnapshot: RunSnapshot, kept: ReadonlySet<TaskKey>): void {
  const handled = new Set(
    runSnapshot.controls.flatMap((control) => (control.kind === "scope" ? (control.failedKey ?? []) : [])),
  );
  for (const row of runSnapshot.nodes) {
    const key = taskKey(row);
    const isReopened = row.state === "cancelled" || (row.state === "failed" && !handled.has(key));
    if (!isReopened || kept.has(key)) continue;
    row.state = "pending";
    row.failures = 0;
    row.identicalFailures = 0;
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    row.wait = null;
  }
}

/** The change that a resume of a failed run makes to the blocks that failed with it. */
export interface Reopening {
  /** The tree as the run had it. */
  frame: RenderedFrame;
  /** Blocks that begin again with the task that failed. */
  reset: ResetPlan;
  /** Failed tasks of blocks that do not begin again. */
  kept: ReadonlySet<TaskKey>;
}

/** Blocks that are over with an unhandled error. */
function failedBlocks({ controls }: RunSnapshot): ScopeState[] {
  return controls.filter(
    (control) =>
      control.kind === "scope" &&
      control.phase === "done" &&
      control.error !== undefined &&
      control.handled !== true,
  ) as ScopeState[];
}

/**
 * What becomes of the blocks that failed. One that has undone
 * something, or whose catch or finally failed, stays as it is: to try its
 * failed task alone would leave what is done and what is undone side by side.
 */
function planBlocks(runSnapshot: RunSnapshot, tree: PlanNode): Pick<Reopening, "reset" | "kept"> {
  const failed = failedBlocks(runSnapshot);
  const plan = compilePlan(tree, 0);
  const reset: ResetPlan = { keys: [], controls: [] };
  const kept = new Set<TaskKey>();
  for (const key of new Set(failed.map(({ failedKey }) => failedKey))) {
    // A failure goes from block to block until one handles it.
    const blocks = failed.filter(({ failedKey }) => failedKey === key);
    const isTriedAgain = key !== undefined && blocks.every((block) => beginsAgain(runSnapshot, plan, block));
    const again = isTriedAgain ? resetOf(runSnapshot, key, tree) : null;
    if (again !== null) {
      reset.keys.push(...again.keys);
      reset.controls.push(...again.controls);
    } else for (const task of tasksOf(plan, blocks)) kept.add(task);
  }
  return { reset, kept };
}

function beginsAgain(runSnapshot: RunSnapshot, plan: CompiledPlan, block: ScopeState): boolean {
  const scope = plan.scopes.find((each) => each.plan.id === block.id);
  if (scope === undefined || block.broken !== undefined) return false;
  const rows = new Map(runSnapshot.nodes.map((row) => [taskKey(row), row]));
  return undoneSteps(scope, rows).length === 0;
}

/** Null where another block that failed beside it has undone something. */
function resetOf(runSnapshot: RunSnapshot, key: TaskKey, tree: PlanNode): ResetPlan | null {
  try {
    return planReset({ runSnapshot, request: { ...parseTaskKey(key), resetDependents: true }, tree });
  } catch (error) {
    if (ServiceError.is(error, "INVALID_INPUT")) return null;
    throw error;
  }
}

function tasksOf(plan: CompiledPlan, blocks: readonly ScopeState[]): TaskKey[] {
  const ids = new Set(blocks.map(({ id }) => id));
  return plan.scopes
    .filter((scope) => ids.has(scope.plan.id))
    .flatMap(({ bodyTasks, recoverTasks, finallyTasks }) => [...bodyTasks, ...recoverTasks, ...finallyTasks]);
}
