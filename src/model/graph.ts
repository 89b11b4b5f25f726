import type { InlineState, PlanNode } from "./plan.js";
import type { TaskDescriptor } from "./task.js";
import type { XmlNode } from "./xml.js";

/** One rendered frame. */
export interface GraphSnapshot {
  runId: string;
  /** From 0. */
  frameNo: number;
  /** The rendered tree; null when nothing was rendered. */
  xml: XmlNode | null;
  /** In document order. */
  tasks: TaskDescriptor[];
}

/** A snapshot with what the engine needs besides: the name and the compiled-from plan. */
export interface RenderedFrame {
  xml: XmlNode | null;
  tasks: TaskDescriptor[];
  plan: PlanNode;
  workflowName: string;
  /** `cache` prop of the Workflow element; undefined = the workflow's own options say. */
  cache: boolean | undefined;
  /** Budgets of the mounted Aspects elements, by id. */
  aspects: Record<string, AspectsSpec>;
  /** Inline subflows that are mounted and not skipped. Absent when there are none. */
  inlines?: readonly InlineState[];
  /**
   * Grows when the structure changed: plan, task fields, XML. Two frames with
   * equal versions share `xml`, `tasks` and `plan` by reference; only payloads
   * and functions inside the descriptors may differ.
   */
  structureVersion: number;
}

export interface AspectsSpec {
  tokenBudget?: { max?: number; perTask?: number; onExceeded: "fail" | "warn" | "skip-remaining" };
  latencySlo?: { maxMs?: number; perTask?: number; onExceeded: "fail" | "warn" };
  tracking: { tokens: boolean; latency: boolean };
}

/** A mounted task in a stored frame. */
export interface FrameTask {
  nodeId: string;
  iteration: number;
  kind: string;
  fingerprint: string;
  /** Addresses of the tasks that it waits for: `dependsOn`, `needs`, `deps` and `fork`. Absent when there are none. */
  dependsOn?: readonly string[];
  /** Groups around it that run only so many tasks at a time, outermost first. Absent when there are none. */
  caps?: readonly FrameCap[];
}

/** A Parallel with `maxConcurrency`, or a MergeQueue. */
export interface FrameCap {
  groupId: string;
  /** Tasks at a time. */
  limit: number;
}
