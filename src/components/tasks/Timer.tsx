import type { WorkflowElement } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";

/** Exactly one of `duration` and `until`. */
export interface TimerProps extends OrderProps {
  id: string;
  /** `250ms`, `30s`, `5m`, `2h`, `1d`, or milliseconds. Counted from when the timer is reached. */
  duration?: string | number;
  /** A point in time: a Date, or text such as `2031-05-01T09:00:00Z`. */
  until?: string | Date;
  /** Timers fire once; repeating ones are refused. */
  every?: never;
}

/** Waits for time to pass. Writes no row. */
export const Timer = hostComponent<(props: TimerProps) => WorkflowElement>("Timer");
