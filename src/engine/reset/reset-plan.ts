import type { TaskKey } from "../../model/address.js";
import type { ControlState } from "../../model/plan.js";
import type { ServiceWorkflow } from "../../model/workflow.js";

export interface ResetRequest {
  nodeId: string;
  iteration: number;
  resetDependents: boolean;
}

/** What a reset would run again. */
export interface ResetPlan {
  /** The node first, then what depends on it, in the order of the tree. */
  keys: TaskKey[];
  /** Loops and blocks that go back to where the node is. */
  controls: ControlState[];
  /** The workflows of nodes that are subflows, as far as the tree tells. */
  childWorkflows: ReadonlyMap<TaskKey, ServiceWorkflow>;
}
