import { taskKey } from "../model/address.js";
import type { NodeRow } from "../model/node.js";
import { isTimeOver } from "./nodes.js";
import type { SchedulerView } from "./view.js";

/** Whether a node, although no attempt of it has begun, had something to wait for: a signal's time, or a person's denial. */
export function hasWaited({ approvals }: Pick<SchedulerView, "approvals">, row: NodeRow): boolean {
  return isTimeOver(row) || approvals.get(taskKey(row))?.status === "denied";
}
