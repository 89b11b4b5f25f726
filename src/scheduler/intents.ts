import type { ApprovalDecision } from "../model/approval.js";

/** Requests from outside, as the scheduler understands them. `id` is the inbox row. */
export type SchedulerIntent =
  | { id: number; kind: "cancel"; reason?: string; requestedBy?: string }
  | {
      id: number;
      kind: "approval";
      nodeId: string;
      iteration: number;
      decision: ApprovalDecision;
      atMs: number;
      automatic?: boolean;
    }
  | { id: number; kind: "signal"; name: string; correlationId: string | null; data: unknown; atMs?: number }
  /** The child run that a subflow drives, or waits for, has ended in another process. */
  | { id: number; kind: "wake"; nodeId: string; iteration: number }
  /** A person wants to take over what the task's agent is doing. */
  | { id: number; kind: "hijack"; nodeId: string; iteration: number }
  /** The person gives it back. */
  | { id: number; kind: "release"; nodeId: string; iteration: number };
