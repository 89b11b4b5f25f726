import type { TaskKey } from "../model/address.js";
import type { Hold } from "../model/alert.js";
import type { ApprovalRow } from "../model/approval.js";
import type { NodeRow } from "../model/node.js";
import type { ControlState } from "../model/plan.js";
import type { TaskDescriptor } from "../model/task.js";
import type { Slot } from "./slot.js";
import type { Cancellation, OpenAttempt, PassedOn, WaitResolution } from "./state.js";

/** The readable part of the scheduler's state; it changes with every step. */
export interface SchedulerView {
  readonly maxConcurrency: number;
  /** Every node that was ever mounted. */
  readonly nodes: ReadonlyMap<TaskKey, ScheduledNode>;
  /** Highest known iteration of each node id. */
  readonly latest: ReadonlyMap<string, TaskKey>;
  /** Newest known node inside nested loops, by the id its author wrote. */
  readonly newestNested: ReadonlyMap<string, string>;
  readonly controls: ReadonlyMap<string, Readonly<ControlState>>;
  /** Ids of the sagas that may have to undo something. */
  readonly owing: ReadonlySet<string>;
  readonly approvals: ReadonlyMap<TaskKey, Readonly<ApprovalRow>>;
  /** Keys of attempts in progress. */
  readonly running: ReadonlySet<TaskKey>;
  readonly holds: ReadonlyMap<string, Readonly<Hold>>;
  readonly cancelling: Readonly<Cancellation> | null;
  /** Loops that stopped at their limit. */
  readonly exhausted: ReadonlySet<string>;
  readonly initialIteration: number;
  readonly initialIterations: Readonly<Record<string, number>>;
}

export interface ScheduledNode {
  readonly key: TaskKey;
  readonly row: Readonly<NodeRow>;
  /** The current frame's declaration; null while unmounted. */
  readonly task: TaskDescriptor | null;
  readonly attempt: Readonly<OpenAttempt> | null;
  /** Of named limits: asked for, or held. */
  readonly slot: Readonly<Slot> | null;
  readonly passedOn: PassedOn | null;
  /** The answer that ended a wait. */
  readonly resolution: WaitResolution | null;
}
