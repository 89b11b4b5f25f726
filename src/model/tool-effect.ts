import type { TaskPlace } from "./address.js";

/** `unknown`: the process died before the call had ended. `failed`: it threw, and may have changed something all the same. */
export const EFFECT_OUTCOMES = ["unknown", "done", "failed"] as const;

/** `begun`: a process has called the revert and not said how it ended. */
export const REVERT_STATES = ["begun", "done"] as const;

/** A call of a tool that can be undone. */
export interface ToolEffect extends TaskPlace {
  attempt: number;
  /** Number of the call within the attempt, as in the log. */
  callNo: number;
  toolName: string;
  idempotencyKey: string;
  /** Tagged JSON, without secrets. */
  argsJson: string;
  /** As the arguments; null where there is none, or it is too long to be kept. */
  resultJson: string | null;
  outcome: (typeof EFFECT_OUTCOMES)[number];
  /** Null: its revert was never called. */
  revertState: (typeof REVERT_STATES)[number] | null;
}
