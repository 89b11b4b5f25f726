import { isTerminalNode, type NodeRow } from "./node.js";

/** What a person does for a task in the place of an attempt: give it its row, or leave it out. */
export type HandAction = "complete" | "skip";

/** A task as a person finds it. */
export interface TaskAtHand extends Pick<NodeRow, "nodeId" | "state" | "kind" | "outputKey"> {
  /** An attempt of it is under way. */
  isAtWork: boolean;
  /** A person has to decide before it, or instead of it, and has not said yes. */
  awaitsDecision: boolean;
}

/** Why a person cannot do it. */
export interface HandRefusal {
  code: "NODE_IN_PROGRESS" | "NODE_ENDED" | "INVALID_INPUT";
  message: string;
}

/**
 * Why a person can neither complete nor skip a task as it stands; null when they can. A decision keeps its own way:
 * who may decide is part of the question, and a row given by hand would go around it.
 */
export function whyNotByHand(action: HandAction, task: TaskAtHand): HandRefusal | null {
  const { nodeId, state, kind, outputKey } = task;
  const wanted = action === "complete" ? "completed" : "skipped";
  const meaningless = (why: string): HandRefusal => ({
    code: "INVALID_INPUT",
    message: `${nodeId} cannot be ${wanted} by hand: ${why}.`,
  });
  if (task.isAtWork || state === "in-progress") {
    return { code: "NODE_IN_PROGRESS", message: `An attempt of ${nodeId} is under way.` };
  }
  if (isTerminalNode(state)) return { code: "NODE_ENDED", message: `${nodeId} is ${state} already.` };
  if (task.awaitsDecision) {
    return meaningless(
      state === "waiting-approval"
        ? "it needs a decision; approve or deny it"
        : "it needs a decision, which is not asked for yet; approve or deny it then",
    );
  }
  if (kind === "sandbox")
    return meaningless("it is a part of a sandbox, whose other part needs what it leaves");
  if (action === "skip") return null;
  if (outputKey === "") return meaningless("it has no row; skip it");
  // The row would be there while the run below it goes on.
  if (kind === "subflow" && state !== "pending") {
    return meaningless(
      "its child run is under way; cancel that run first, or skip the task, which cancels it",
    );
  }
  return null;
}
