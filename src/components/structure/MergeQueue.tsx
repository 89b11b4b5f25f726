import type { ReactElement } from "react";
import { hostComponent } from "../host-component.js";
import type { ParallelProps } from "./Parallel.js";

export interface MergeQueueProps extends Omit<ParallelProps, "maxConcurrency"> {
  /** Tasks inside that may run at once. @default 1 */
  maxConcurrency?: number;
}

/** Children in the order in which they become ready, one task at a time. */
export const MergeQueue = hostComponent<(props: MergeQueueProps) => ReactElement>("MergeQueue");
