import type { NodeRow } from "../../model/node.js";
import { lookOf } from "../parts/State.js";
import { shownState } from "../run/tree-rows.js";
import type { Fold } from "./fold-tree.js";

/** What a box says beside its name. */
export interface Standing {
  state: string;
  text: string;
}

/** The newest rounds of the tasks, by their ids. */
export function newestRounds(nodes: readonly NodeRow[]): ReadonlyMap<string, NodeRow> {
  const newest = new Map<string, NodeRow>();
  for (const node of nodes) {
    const known = newest.get(node.nodeId);
    if (known === undefined || known.iteration < node.iteration) newest.set(node.nodeId, node);
  }
  return newest;
}

export function standingOf(node: NodeRow | undefined): Standing {
  if (node === undefined) return { state: "pending", text: lookOf("pending").text };
  const round = node.iteration > 0 ? `, round ${node.iteration + 1}` : "";
  const attempt = node.lastAttempt > 1 ? `, attempt ${node.lastAttempt}` : "";
  const state = shownState(node);
  return { state, text: `${lookOf(state).text}${round}${attempt}` };
}

/** Of several states the one that a person has to know of first. */
const URGENCY = ["failed", "in-progress", "waiting-", "pending", "cancelled"];

/** A group stands as the most urgent of its tasks, and says how many are done. */
export function standingOfFold({ nodeIds }: Fold, newest: ReadonlyMap<string, NodeRow>): Standing {
  const states = nodeIds.map((id) => {
    const node = newest.get(id);
    return node === undefined ? "pending" : shownState(node);
  });
  const done = states.filter((state) => state === "finished" || state === "skipped").length;
  const failed = states.filter((state) => state === "failed").length;
  const urgent = URGENCY.map((begin) => states.find((state) => state.startsWith(begin))).find(
    (state) => state !== undefined,
  );
  return {
    state: urgent ?? "finished",
    text: `${done}/${states.length} done${failed > 0 ? `, ${failed} failed` : ""}`,
  };
}
