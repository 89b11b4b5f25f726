import { isTerminalNode, type NodeRow } from "../../model/node.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import type { Blocker } from "./blocker.js";

/** Scores that are named at most. */
const MOST_NAMED = 5;
/** Scores that are counted at most. */
const MOST_COUNTED = 1_000;

/** Scores that a run with nothing else to do waits for: while tasks are at work, nothing waits for scores. */
export async function scoreBlockers(
  store: Store,
  { runId, status }: RunRow,
  nodes: readonly NodeRow[],
): Promise<Blocker[]> {
  const isDone = nodes.length > 0 && nodes.every(({ state }) => isTerminalNode(state));
  if (isTerminal(status) || (status === "running" && !isDone)) return [];
  const pending = await store.listScores({ runId, state: "pending", limit: MOST_COUNTED });
  const [first] = pending;
  if (first === undefined) return [];
  const named = pending.slice(0, MOST_NAMED).map(({ scorerId, nodeId }) => `${scorerId} of ${nodeId}`);
  const more = pending.length > named.length ? ` and ${pending.length - named.length} more` : "";
  return [
    {
      kind: "scores",
      sinceMs: first.sampledAtMs,
      summary: `Scorers have not answered yet: ${named.join(", ")}${more}. Those that do not answer in time fail, and the run continues.`,
      remedy: null,
    },
  ];
}
