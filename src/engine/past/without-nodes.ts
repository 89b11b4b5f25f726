import { ServiceError } from "../../errors/service-error.js";
import { parseTaskKey, type TaskKey, taskKey, type TaskPlace } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { Store } from "../../store/index.js";
import { planAround } from "../reset/frame-around.js";
import { planReset } from "../reset/plan-reset.js";
import { resetRunSnapshot } from "../reset/reset-snapshot.js";
import type { Past } from "./past-of.js";

/**
 * A past in which named nodes, and what came after them because of them, have not run yet: the same nodes that
 * `retryTask` would reset.
 * @param names of nodes, or their keys `nodeId::iteration`
 * @returns the past without their rows, and their keys
 * @throws NODE_NOT_FOUND, and INVALID_INPUT for a node that cannot run again by itself
 */
export async function withoutNodes(
  store: Store,
  past: Past,
  names: readonly string[],
): Promise<{ past: Past; resetNodes: TaskKey[] }> {
  if (names.length === 0) return { past, resetNodes: [] };
  const known = await store.listNodes(past.runSnapshot.run.runId);
  const reset = new Set<TaskKey>();
  let { runSnapshot } = past;
  for (const name of names) {
    const place = placeOf(name, past, known);
    const isOpen = !runSnapshot.nodes.some((row) => taskKey(row) === taskKey(place));
    // It starts anew by itself, or with a node that is reset already.
    if (isOpen || reset.has(taskKey(place))) continue;
    const tree = await planAround(store, runSnapshot, place);
    const plan = planReset({ runSnapshot, request: { ...place, resetDependents: true }, tree });
    for (const key of plan.keys) reset.add(key);
    runSnapshot = resetRunSnapshot(runSnapshot, plan, { now: 0, decisions: "forgotten" });
  }
  const isReset = (place: TaskPlace) => reset.has(taskKey(place));
  const { rows } = past;
  const nodes = rows.nodes.filter((row) => !isReset(row));
  return {
    past: {
      ...past,
      rows: {
        ...rows,
        nodes,
        controls: runSnapshot.controls,
        stored: rows.stored.filter((row) => !isReset(row)),
      },
      approvals: past.approvals.filter((row) => !isReset(row)),
      runSnapshot: { ...runSnapshot, nodes },
    },
    resetNodes: [...reset],
  };
}

/** Of a name alone the newest iteration that had ended. @throws NODE_NOT_FOUND */
function placeOf(name: string, { rows, frameNo, runSnapshot }: Past, known: readonly NodeRow[]): TaskPlace {
  const { runId } = runSnapshot.run;
  const isAsked = (row: NodeRow) => row.nodeId === name || taskKey(row) === name;
  const found = rows.nodes.findLast(isAsked) ?? known.findLast(isAsked);
  if (found !== undefined) return parseTaskKey(taskKey(found));
  throw new ServiceError(
    "NODE_NOT_FOUND",
    `Run ${runId} has no node ${name}, at frame ${frameNo} or since.`,
    {
      details: { runId, nodeId: name, frameNo },
    },
  );
}
