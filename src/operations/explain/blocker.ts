import type { SerializedError } from "../../errors/ensure-error.js";
import type { NodeState } from "../../model/node.js";
import type { Remedy } from "../../model/remedy.js";
import type { LimitUse } from "../../store/index.js";
import type { RefusedDecision } from "./refused-decisions.js";

/** One thing that keeps a run from continuing. */
export interface Blocker {
  /** The kind of obstacle; decides which of the members below are present. */
  kind:
    | "paused"
    | "approval"
    | "event"
    | "hijack"
    | "timer"
    | "quota"
    | "retry"
    | "owner"
    | "queued"
    | "code-changed"
    | "resume-failed"
    | "failed-task"
    | "decision-pending"
    | "dependency"
    | "concurrency"
    | "limit"
    | "worker"
    | "scores";
  /** The child run that this is about. Absent for the run that was asked for. */
  runId?: string;
  nodeId?: string;
  iteration?: number;
  /** Epoch ms. */
  sinceMs: number | null;
  /** Epoch ms at which its time is over: the process that drives the run ends it then. */
  untilMs?: number;
  /** The text for people. */
  summary: string;
  /** The action that removes it; null when only time removes it. */
  remedy: Remedy | null;

  /** `approval`: what is asked. */
  title?: string;
  /** `approval`: the question that is asked at this moment. */
  requestHash?: string;
  /** `approval`: decisions that did not count, because they were on another question or of a person who may not decide; newest first. */
  refused?: RefusedDecision[];
  /** `event`: name of the signal. */
  event?: string;
  /** `event`: of the signal. */
  correlationId?: string;
  /** `retry`, `resume-failed`: in a row. */
  failures?: number;
  /** `retry`, `resume-failed`, `failed-task`, `code-changed`. */
  error?: SerializedError | null;
  /** `code-changed`: what differs from the code that the run was started with. */
  changes?: readonly unknown[];
  /** `dependency`: what the task waits for and has not got, the first 20. */
  waitsFor?: AwaitedTask[];
  /** `dependency`: how many it waits for, where `waitsFor` has not all of them. */
  awaited?: number;
  /** `dependency`, `concurrency`: tasks that wait for the same and have no blocker of their own here. */
  unnamed?: number;
  /** `concurrency`: the cap that is reached. */
  cap?: ReachedCap;
  /** `limit`: the named limits that a slot is missing of, and who has it. */
  limits?: LimitUse[];
  /** `worker`: the queue whose workers are waited for. */
  queue?: string;
  /** `limit`: other runs that get a slot before this one. `queued`: other runs that were made before it and have not begun. */
  ahead?: number;
}

/** A task that another one depends on. State `unmounted`: no frame has shown it yet. */
export interface AwaitedTask {
  nodeId: string;
  iteration: number;
  /** Its state; `unmounted`: no frame has shown it yet. */
  state: NodeState | "unmounted";
}

/** Tasks at once, and who they are. */
export interface ReachedCap {
  /** Id of the group (Parallel, MergeQueue); null = `maxConcurrency` of the run. */
  groupId: string | null;
  /** Tasks that may run at once. */
  limit: number;
  /** Those that run now, the first 20. */
  holders: { nodeId: string; iteration: number }[];
}
