import { ServiceError } from "../../errors/service-error.js";
import { parseTaskKey, shapeOf, type TaskKey, taskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { PlanNode } from "../../model/plan.js";
import { type CompiledPlan, compilePlan } from "../../scheduler/index.js";
import type { RunSnapshot } from "../../store/index.js";
import { compareRounds, reachedFrom, roundsOf } from "./reach.js";
import type { ResetPlan } from "./reset-snapshot.js";
import { firstPart, PHASES, resetLoops, resetScopes, rewoundLoops } from "./rewind.js";

/**
 * The node and everything that came after it because of it: later steps of its
 * sequences, tasks that name it, later rounds of its loops, all rounds of loops
 * that follow, what a block around it did afterwards. Never siblings that ran
 * beside it.
 *
 * @param about.tree around the node, see `planAround`
 * @throws NODE_NOT_FOUND, INVALID_INPUT
 */
export function planReset(about: {
  runSnapshot: RunSnapshot;
  request: ResetRequest;
  tree: PlanNode;
}): ResetPlan {
  const { runSnapshot, request } = about;
  const { nodeId, iteration, resetDependents } = request;
  const node = runSnapshot.nodes.find((row) => row.nodeId === nodeId && row.iteration === iteration);
  if (node === undefined) {
    throw new ServiceError(
      "NODE_NOT_FOUND",
      `Run ${runSnapshot.run.runId} has no node ${nodeId} at iteration ${iteration}.`,
      { details: { runId: runSnapshot.run.runId, nodeId, iteration } },
    );
  }
  const asked = taskKey({ nodeId, iteration });
  const target = roundsOf(node);
  const plan = compilePlan(about.tree, 0);
  if (!resetDependents) {
    refuseAlone(runSnapshot, node, plan);
    return { keys: [asked], controls: [] };
  }
  const reached = reachedFrom(plan, nodeId);
  const keys = new Set<TaskKey>([asked]);
  for (const row of runSnapshot.nodes) {
    const rounds = roundsOf(row);
    const order = compareRounds(rounds, target);
    const isReached =
      reached.tasks.has(shapeOf(row.nodeId)) || rounds.some(({ loop }) => reached.loops.has(loop));
    if (order > 0 || (order === 0 && isReached)) keys.add(taskKey(row));
  }
  const place = { target, reached, plan };
  const scopes = resetScopes(runSnapshot, { ...place, keys });
  for (const key of scopes.more) keys.add(key);
  const loops = resetLoops(runSnapshot, { ...place, keys });
  return { keys: inTreeOrder(plan, asked, keys), controls: [...loops, ...scopes.controls] };
}

/** The node itself first, then the others as the tree has them; rounds of a task stay together. */
function inTreeOrder(plan: CompiledPlan, asked: TaskKey, keys: ReadonlySet<TaskKey>): TaskKey[] {
  const places = new Map(plan.tasks.map(({ nodeId }, index) => [shapeOf(nodeId), index]));
  const placeOf = (key: TaskKey) =>
    key === asked ? -1 : (places.get(shapeOf(parseTaskKey(key).nodeId)) ?? places.size);
  return [...keys].sort(
    (a, b) => placeOf(a) - placeOf(b) || parseTaskKey(a).iteration - parseTaskKey(b).iteration,
  );
}

export interface ResetRequest {
  nodeId: string;
  iteration: number;
  resetDependents: boolean;
}

/**
 * Where the run has left a place behind, a node there would lose its row and never run.
 * @throws INVALID_INPUT
 */
function refuseAlone(runSnapshot: RunSnapshot, node: NodeRow, plan: CompiledPlan): void {
  if (isInEarlierRound(runSnapshot, node)) throw refusal(node, "an earlier round of its loop");
  if (isInPastPart(runSnapshot, node, plan)) throw refusal(node, "a part of a block that is over");
}

function isInEarlierRound(runSnapshot: RunSnapshot, node: NodeRow): boolean {
  const now = new Map(
    runSnapshot.controls.flatMap((control) =>
      control.kind === "loop" ? [[control.id, control.iteration]] : [],
    ),
  );
  return rewoundLoops(runSnapshot, roundsOf(node)).some(({ id, iteration }) => now.get(id) !== iteration);
}

function isInPastPart(runSnapshot: RunSnapshot, node: NodeRow, plan: CompiledPlan): boolean {
  const keys = new Set<TaskKey>([taskKey(node)]);
  return plan.scopes.some((scope) => {
    const part = firstPart(scope, keys);
    const control = runSnapshot.controls.find(({ kind, id }) => kind === "scope" && id === scope.plan.id);
    if (part === undefined || control?.kind !== "scope") return false;
    return PHASES.indexOf(control.phase) > PHASES.indexOf(part);
  });
}

function refusal({ nodeId, iteration }: NodeRow, where: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `${nodeId} stands in ${where}: it runs again only together with what came after it.`,
    { details: { nodeId, iteration } },
  );
}
