import { writtenId } from "../model/address.js";
import { nearest } from "../util/nearest.js";
import type { NodeRecord, SchedulerState } from "./state.js";

/** Which mounted task a task probably means by an id that none has; undefined when none is close. */
export function resolveNodeId({ nodes }: SchedulerState, of: NodeRecord, id: string): string | undefined {
  const own = writtenId(of.row.nodeId);
  const others = new Set<string>();
  for (const { task } of nodes.values()) if (task !== null) others.add(writtenId(task.nodeId));
  others.delete(own);
  return nearest(id, others);
}
