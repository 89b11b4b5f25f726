import type { RefusedDecision } from "./refused-decisions.js";

/** One thing that keeps a run from going on. */
export interface Blocker {
  kind:
    | "paused"
    | "approval"
    | "event"
    | "hijack"
    | "timer"
    | "quota"
    | "retry"
    | "owner"
    | "code-changed"
    | "resume-failed"
    | "failed-task"
    | "decision-pending"
    | "concurrency";
  nodeId?: string;
  iteration?: number;
  /** Epoch ms. */
  sinceMs: number | null;
  /** Epoch ms at which it ends by itself. */
  untilMs?: number;
  /** What a person reads. */
  summary: string;
  /** One command that removes it. */
  fix: string;
  /** Decisions that did not count, because they were on another question or of somebody who may not; newest first. */
  refused?: RefusedDecision[];
  /** Facts of the kind: the event's name, the approval's title, the error. */
  [fact: string]: unknown;
}
