import { type TaskKey, taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";

/** How an attempt has ended. */
export interface TaskEnd {
  readonly key: TaskKey;
  readonly status: string;
  readonly error?: unknown;
}

/** The end that an event tells of, if it tells of one. */
export function endOf(event: EventBody): TaskEnd | undefined {
  switch (event.type) {
    case "NodeFinished":
      return { key: taskKey(event), status: event.cached === true ? "cached" : "finished" };
    case "NodeFailed":
      return { key: taskKey(event), status: "failed", error: event.error };
    case "NodeCancelled":
      return { key: taskKey(event), status: "cancelled" };
    case "NodeSkipped":
      return { key: taskKey(event), status: "skipped" };
    case "NodeInterrupted":
      return { key: taskKey(event), status: "interrupted" };
    case "NodeWaitingQuota":
      return { key: taskKey(event), status: "waiting-quota" };
    case "NodeWaitingEvent":
    case "NodeWaitingTimer":
    case "NodeWaitingApproval":
      return { key: taskKey(event), status: "waiting" };
    default:
      return undefined;
  }
}
