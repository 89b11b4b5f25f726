import { isTerminal } from "../../model/run.js";
import type { GatewayMethodName } from "../../client/index.js";
import type { IconName } from "../parts/icons.js";
import type { Inspection } from "./inspection.js";

export type RunActionName = "cancel" | "resume" | "again";

export interface RunAction {
  name: RunActionName;
  text: string;
  icon: IconName;
  /** The method that it calls. */
  method: GatewayMethodName;
}

/** States in which a process has to be asked to continue with the run. */
const RESUMABLE = new Set(["stale", "orphaned", "stopped", "failed", "cancelled"]);

/** What can be done with a run in the state that it is in. */
export function actionsOf(run: Inspection["run"]): RunAction[] {
  const actions: RunAction[] = [];
  if (!isTerminal(run.status)) {
    actions.push({ name: "cancel", text: "Cancel…", icon: "slash", method: "cancelRun" });
  }
  if (RESUMABLE.has(run.runState)) {
    actions.push({ name: "resume", text: "Resume…", icon: "play", method: "resumeRun" });
  }
  if (run.workflowKey !== null) {
    actions.push({ name: "again", text: "Run again…", icon: "retry", method: "launchRun" });
  }
  return actions;
}
