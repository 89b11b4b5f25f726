import { taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";

/** How an attempt has ended. */
export interface TaskEnd {
  readonly key: string;
  readonly status: string;
  readonly error?: unknown;
  /** No other attempt follows. */
  readonly isFinal: boolean;
}

/** The end that an event tells of, if it tells of one. */
export function endOf(event: EventBody): TaskEnd | undefined {
  switch (event.type) {
    case "NodeFinished":
      return { key: taskKey(event), status: event.cached === true ? "cached" : "finished", isFinal: true };
    case "NodeFailed":
      return { key: taskKey(event), status: "failed", error: event.error, isFinal: false };
    case "NodeCancelled":
      return { key: taskKey(event), status: "cancelled", isFinal: true };
    case "NodeSkipped":
      return { key: taskKey(event), status: "skipped", isFinal: true };
    case "NodeInterrupted":
      return { key: taskKey(event), status: "interrupted", isFinal: false };
    case "NodeWaitingQuota":
      return { key: taskKey(event), status: "waiting-quota", isFinal: false };
    case "NodeWaitingEvent":
    case "NodeWaitingTimer":
    case "NodeWaitingApproval":
      return { key: taskKey(event), status: "waiting", isFinal: false };
    default:
      return undefined;
  }
}
