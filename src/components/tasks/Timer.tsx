import type { WorkflowElement } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";

/** Props of `Timer`: exactly one of `duration` and `until`. */
export interface TimerProps extends OrderProps {
  /** Address of the node; unique in the workflow. */
  id: string;
  /** `250ms`, `30s`, `5m`, `2h`, `1d`, or milliseconds. Counted from when the timer is reached. */
  duration?: string | number;
  /** A point in time: a Date, or text such as `2031-05-01T09:00:00Z`. */
  until?: string | Date;
  /** Timers fire once; repeating ones are refused. */
  every?: never;
}

/**
 * Waits for time to pass. Writes no row.
 * @example
 * <Timer id="cool-down" duration="2h" />
 * @see `docs/components/timer.md`
 */
export const Timer = hostComponent<(props: TimerProps) => WorkflowElement>("Timer");
