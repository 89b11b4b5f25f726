import type { SerializedError } from "../errors/ensure-error.js";
import type { FiredAlert, Hold } from "./alert.js";
import type { TaskKey } from "./address.js";
import type { TaskDescriptor } from "./task.js";

/**
 * The control structure of one frame: what the scheduler compiles. Branches and
 * transparent wrappers are already resolved; ids of nodes inside loops carry
 * their loop's iteration.
 */
export type PlanNode = TaskPlan | SequencePlan | ParallelPlan | LoopPlan | SagaPlan | TryPlan | ContinuePlan;

export interface TaskPlan {
  kind: "task";
  task: TaskDescriptor;
}

/** Children one after the other. */
export interface SequencePlan {
  kind: "sequence";
  children: PlanNode[];
}

/** Children at the same time, at most `cap` of their tasks running. Merge queues are parallels with a cap. */
export interface ParallelPlan {
  kind: "parallel";
  id: string;
  /** Absent = bounded by enclosing caps only. */
  cap?: number;
  children: PlanNode[];
}

export interface LoopPlan {
  kind: "loop";
  id: string;
  iteration: number;
  /** The `until` prop as this frame evaluated it. */
  until: boolean;
  maxIterations: number;
  onMaxReached: "fail" | "return-last";
  continueAsNewEvery?: number;
  /** skipIf on the loop: its tasks are skipped and it never iterates. */
  skip: boolean;
  body: PlanNode;
}

export interface SagaPlan {
  kind: "saga";
  id: string;
  onFailure: "compensate" | "compensate-and-fail" | "fail";
  steps: SagaStepPlan[];
}

export interface SagaStepPlan {
  id: string;
  action: PlanNode;
  compensation: PlanNode;
  /** The error of the compensation's rendering, which is empty then. */
  compensationError?: SerializedError;
}

export interface TryPlan {
  kind: "try";
  id: string;
  try: PlanNode;
  /** There is a `catch`, whether or not it is rendered yet. */
  hasCatch: boolean;
  /** Absent without a `catch`, and where it threw. A function catch is rendered once its error is known. */
  catch?: PlanNode;
  /** The error of the catch's call or rendering. */
  catchError?: SerializedError;
  /** Error codes that are caught; absent = all. */
  catchErrors?: string[];
  finally?: PlanNode;
}

/** Reached = the run continues as a new run. */
export interface ContinuePlan {
  kind: "continue-as-new";
  state: unknown;
  /** Loops around it, outermost first: the new run continues with the next iteration of the last. */
  loopIds: string[];
}

/** The parts of a plan directly inside, in document order. */
export function partsOfPlan(plan: PlanNode): readonly PlanNode[] {
  switch (plan.kind) {
    case "sequence":
    case "parallel":
      return plan.children;
    case "loop":
      return [plan.body];
    case "saga":
      return plan.steps.flatMap(({ action, compensation }) => [action, compensation]);
    case "try":
      return [plan.try, plan.catch, plan.finally].filter((part) => part !== undefined);
    case "task":
    case "continue-as-new":
      return [];
    default:
      return plan satisfies never;
  }
}

/** Persisted progress of a control element; what the next render reads back. */
export type ControlState = LoopState | ScopeState | InlineState;

/** The state that a run keeps besides its nodes: `kind` distinguishes it, each `id` once per kind. */
export type StoredControl = ControlState | Hold | FiredAlert | EditedPrompt;

/** The prompt that a person has put in the place of a task's own. */
export interface EditedPrompt {
  kind: "prompt";
  /** The task. */
  id: TaskKey;
  /** Null: the task has its own again. */
  prompt: string | null;
  /** Who wrote it; null when no name was given. */
  editedBy: string | null;
}

export interface LoopState {
  kind: "loop";
  id: string;
  iteration: number;
  done: boolean;
  /** Ended by maxIterations, not by `until`. */
  exhausted: boolean;
}

/** How the ids in an inline subflow begin, see `id-scope.ts`. */
export interface InlineState {
  kind: "inline";
  id: string;
  prefix: string;
}

/** Progress of a Saga or TryCatchFinally. */
export interface ScopeState {
  kind: "scope";
  id: string;
  phase: "body" | "recover" | "finally" | "done";
  /** The failure that ended the body. */
  error?: SerializedError;
  /** Key of the task that failed. */
  failedKey?: TaskKey;
  /** The failure was handled (caught or compensated). */
  handled?: boolean;
  /** Sagas: ids of the steps whose compensations run, or have run without failing. */
  undo?: string[];
  /** Sagas: ids of the steps that have done something which is not undone, and which a failure would undo. */
  owes?: string[];
  /** The part after the body that failed itself. */
  broken?: "recover" | "finally";
}
