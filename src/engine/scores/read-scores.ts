import type { TaskKey } from "../../model/address.js";
import type { TaskScore } from "../../model/scorer.js";
import type { RunSession } from "../session/session.js";
import { idFor, nodeFor, roundsAroundNode } from "../view/node-for.js";

/** Scorers of one task. */
const MOST_SCORES = 1_000;

/** The results of a node's scorers, once all of them have ended. `key` is the task that asks. */
export async function readScores(
  { runId, state, scores, services }: RunSession,
  { key, nodeId }: { key: TaskKey; nodeId: string },
): Promise<TaskScore[]> {
  const asking = state.nodes.get(key)?.row;
  const node = nodeFor(state, idFor(state, asking, nodeId), roundsAroundNode(asking));
  if (node === undefined) return [];
  const isSameLoop = node.loopId !== null && node.loopId === (asking?.loopId ?? null);
  const iteration = isSameLoop && asking !== undefined ? asking.iteration : node.iteration;
  await scores.whenScored({ nodeId: node.nodeId, iteration });
  const about = { runId, nodeId: node.nodeId, iteration };
  const rows = await services.store.listScores({ ...about, limit: MOST_SCORES });
  const live = rows.filter(({ source }) => source === "live");
  const attempt = Math.max(...live.map((row) => row.attempt));
  return live
    .filter((row) => row.attempt === attempt)
    .map(({ scorerId, scorerName, state: stands, score, reason, error }) => {
      return { attempt, scorerId, scorerName, state: stands, score, reason, error };
    });
}
