import type { WorkflowElement } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import type { ParallelProps } from "./Parallel.js";

/** Props of `MergeQueue`. */
export interface MergeQueueProps extends Omit<ParallelProps, "maxConcurrency"> {
  /** Tasks inside that may run at once. @default 1 */
  maxConcurrency?: number;
}

/**
 * One task at a time: of those that are ready, the first in the order of the tree is next.
 * @example
 * <MergeQueue>
 *   {branches.map((name) => <Task key={name} id={`merge-${name}`} output={outputs.merge}>{() => merge(name)}</Task>)}
 * </MergeQueue>
 * @see `docs/components/merge-queue.md`
 */
export const MergeQueue = hostComponent<(props: MergeQueueProps) => WorkflowElement>("MergeQueue");
