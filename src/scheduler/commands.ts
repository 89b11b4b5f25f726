import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { Hold } from "../model/alert.js";
import type { ApprovalRow } from "../model/approval.js";
import type { EventBody } from "../model/events.js";
import type { AttemptState } from "../model/node.js";
import type { WaitingStatus } from "../model/run.js";
import type { RenderedFrame } from "../model/graph.js";
import type { FrameRequest, PassedOn } from "./state.js";
import type { SchedulerIntent } from "./intents.js";

/** A budget that leaves a task out, and what it says where it cannot. */
export interface OverBudget {
  aspectId: string;
  error: SerializedError;
}

/** An event as the scheduler gets it. */
export type SchedulerEvent =
  /** A render took place. */
  | { type: "frame"; frame: RenderedFrame; reason: FrameRequest["reason"] }
  /** There is no frame: a component threw, or the tree is not a workflow. */
  | { type: "render-failed"; error: SerializedError }
  /** The frame that was asked for would have been the same as the last one. */
  | { type: "frame-unchanged" }
  | { type: "attempt-finished"; key: TaskKey; attempt: number; cached: boolean }
  /** `quotaResetAtMs` is set when every agent of the chain is out of quota. */
  | { type: "attempt-failed"; key: TaskKey; attempt: number; error: SerializedError; quotaResetAtMs?: number }
  /** The attempt has to wait for something outside: a child run that waits itself, a person at its session. */
  | { type: "attempt-suspended"; key: TaskKey; attempt: number; status: WaitingStatus; reason: string }
  /** A process takes over an attempt of the last one that has ended elsewhere. Before its first frame. */
  | { type: "attempt-adopted"; key: TaskKey; attempt: number; startedAtMs: number }
  /** The process stopped it, or died: it does not count, and the node starts again if its task is still there. */
  | {
      type: "attempt-interrupted";
      key: TaskKey;
      attempt: number;
      reason: string;
      /** The process died, and nothing but this attempt and its siblings can have done it. @default false */
      isSuspect?: boolean;
      /** Epoch ms of its last sign of life. @default now */
      endedAtMs?: number;
    }
  /** The attempt's runner decided that the task does not apply: a budget with skip-remaining. */
  | {
      type: "attempt-skipped";
      key: TaskKey;
      attempt: number;
      reason: string;
      /** A budget skips it, and not the task itself. */
      overBudget?: OverBudget;
    }
  /** Its agent cannot answer, and the next one of the chain has a limit that it has no slot of. */
  | { type: "attempt-passed-on"; key: TaskKey; attempt: number; to: PassedOn }
  /** The process that ran it for the run's owner is gone, or has given it back: it does not count, and the task starts again. */
  | { type: "attempt-lost"; key: TaskKey; attempt: number; reason: string; isSuspect: boolean }
  /** A slot that a task has asked for is there. */
  | { type: "slot-granted"; key: TaskKey; limits: readonly string[] }
  | { type: "heartbeat"; key: TaskKey; attempt: number }
  /** The clock shows so many milliseconds less than it would if it had not been set. */
  | { type: "clock-set-back"; byMs: number }
  /** Everything else of the turn is decided: what is ready starts. No other event starts anything. */
  | { type: "start-ready" }
  /** The process is about to stop driving: nothing new starts. */
  | { type: "stop" }
  /** Time may have passed. */
  | { type: "tick" }
  | { type: "intent"; intent: SchedulerIntent }
  /** Nothing new starts until the hold is released. */
  | { type: "hold"; hold: Omit<Hold, "kind" | "sinceMs" | "isOpen"> }
  /** A process resumes the run: holds that ask for no decision end. */
  | { type: "resume" }
  /** The run has ended, or continues as the run with this id. */
  | { type: "ended"; continuesAs?: string }
  /** Attempts in progress whose tasks newer code does not have any more. Those that are mounted after all continue. */
  | { type: "call-off"; keys: readonly TaskKey[] }
  /** Hot reload or a state update inside the tree: the next frame must be rendered. */
  | { type: "invalidate"; reason: "reload" | "control" };

/** The scheduler's answer, in order. Facts are persisted in one transaction; then the effects are performed. */
export type Command =
  // facts
  /** The node's row changed. */
  | { type: "node"; key: TaskKey }
  | { type: "control"; id: string }
  | { type: "hold"; hold: Hold }
  | { type: "approval"; row: ApprovalRow }
  | { type: "event"; body: EventBody }
  | {
      type: "attempt-closed";
      key: TaskKey;
      attempt: number;
      state: Exclude<AttemptState, "in-progress">;
      error: SerializedError | null;
      /** Epoch ms. @default now */
      endedAtMs?: number;
    }
  | { type: "consume"; intentId: number }
  /** Another attempt may have the slot. `isUnused`: it counts as never taken. */
  | { type: "free-slot"; key: TaskKey; limits: readonly string[]; isUnused: boolean }
  // effects
  /** Open an attempt and run it once the commit is durable. */
  | { type: "start"; key: TaskKey; attempt: number }
  /** The attempt gives its session to a person as soon as it has one; then it is suspended. */
  | { type: "hand-over"; key: TaskKey; attempt: number }
  | { type: "abort"; key: TaskKey; attempt: number; error: SerializedError }
  /** The task is ready and starts once it holds a slot of these limits. Asked again, it takes the place of what it asked before. */
  | { type: "ask-slot"; key: TaskKey; limits: readonly string[] };

export type Emit = (command: Command) => void;
