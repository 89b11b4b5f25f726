import type { TaskKey } from "../model/address.js";
import type { ContinuePlan, LoopPlan, PlanNode, SagaPlan, TryPlan } from "../model/plan.js";
import type { Heap } from "../util/heap.js";

/**
 * The plan compiled to a dependency graph. Boundaries of sequences, groups,
 * loops and scopes are vertices of their own, so a completion touches only its
 * successors.
 *
 * G1  A vertex opens once; opening takes one from `pending` of each successor.
 * G2  A task vertex opens when its task is finished, skipped, or failed with
 *     continueOnFail; a join when nothing is pending; a latch only when the
 *     construct that owns it says so.
 */
export interface Graph {
  readonly vertices: Vertex[];
  /** Opens when everything in the plan is done. */
  readonly root: number;
  readonly caps: CapGroup[];
  readonly loops: LoopVertex[];
  /** Loops whose iteration is over and that no frame has decided yet, as indexes into `loops`. */
  readonly loopsAtEnd: Set<number>;
  readonly scopes: FailureScope[];
  readonly regions: readonly Region[];
  /** Tasks that depend on ids which are neither mounted nor known: key to the ids. */
  readonly missing: Map<TaskKey, string[]>;
  /** Vertices of tasks that may start, in document order. */
  readonly ready: Heap<number>;
  /** Vertices of eligible tasks that have not asked for a slot, because as many of their limits do as could start. */
  readonly limited: Map<string, Heap<number>>;
  /** Continue-as-new elements by vertex. */
  readonly continues: ReadonlyMap<number, ContinuePlan>;
  /** The plan it was compiled from; null before the first frame. */
  readonly plan: PlanNode | null;
  /** Of the newest frame with this plan. */
  structureVersion: number;
  /** A task of it asks people: what it asks may be worded anew while the plan stays. */
  readonly hasQuestions: boolean;
}

export interface Vertex {
  readonly kind: "task" | "join" | "latch" | "continue";
  /** Unopened predecessors. */
  pending: number;
  open: boolean;
  readonly successors: number[];
  /** Task vertices: the task, others: `NO_TASK`. Vertex indexes grow in document order. */
  readonly key: TaskKey;
  /** Enclosing capped groups, as indexes into `caps`. */
  readonly caps: readonly number[];
  /** Innermost region around it, as an index into `regions`; -1 = the run itself. */
  readonly region: number;
  /** Latches: index into loops or scopes. */
  readonly owner: number;
  readonly role: VertexRole;
}

export type VertexRole =
  | "none"
  | "loop-end"
  | "scope-start"
  | "body-end"
  | "recover-start"
  | "recover-end"
  | "finally-start"
  | "finally-end"
  | "scope-end";

export interface CapGroup {
  readonly id: string;
  readonly limit: number;
  running: number;
  /** Vertices of eligible tasks that found the group full. */
  readonly waiting: Heap<number>;
}

export interface LoopVertex {
  readonly plan: LoopPlan;
  /** Latch; its pending count reaches 0 when the iteration is over. */
  readonly end: number;
  readonly region: number;
  /** Keys of the body's tasks. */
  readonly tasks: readonly TaskKey[];
  /** Loops around it, outermost first, as indexes into `loops`. */
  readonly around: readonly number[];
}

/** A Saga or a TryCatchFinally: regions that contain failures. */
export interface FailureScope {
  readonly plan: SagaPlan | TryPlan;
  /** Region around the scope. */
  readonly region: number;
  /** Reached when everything before the scope is done. */
  readonly start: number;
  readonly bodyEnd: number;
  readonly recoverStart: number;
  readonly recoverEnd: number;
  readonly finallyStart: number;
  readonly finallyEnd: number;
  readonly end: number;
  readonly bodyTasks: readonly TaskKey[];
  readonly recoverTasks: readonly TaskKey[];
  readonly finallyTasks: readonly TaskKey[];
  /** Saga only, in the order of their actions. */
  readonly steps: readonly SagaStepVertices[];
}

export interface SagaStepVertices {
  readonly id: string;
  readonly actionEnd: number;
  readonly action: readonly TaskKey[];
  readonly compensation: readonly TaskKey[];
  readonly compensationEnd: number;
}

/** A part of the plan whose tasks share a fate: they may start only while it is active. */
export type Region = ScopePart | AfterApproval;

export interface ScopePart {
  readonly part: "body" | "recover" | "finally";
  /** Index into `scopes`. */
  readonly scope: number;
  /** Compensations: id of the saga step that this one undoes. Null elsewhere. */
  readonly step: string | null;
}

/** The tasks after an approval whose denial skips them, in the same sequence. */
export interface AfterApproval {
  readonly part: "after-approval";
  readonly approval: TaskKey;
  /** Region around it; -1 = the run itself. */
  readonly around: number;
}
