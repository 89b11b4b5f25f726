import type { TaskKey } from "../model/address.js";
import type { NodeRow } from "../model/node.js";
import { isWaiting, type RunStatus, type WaitingStatus } from "../model/run.js";

/** Why a node stands still. */
export const IDLE_KINDS = [
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "waiting-quota",
  "back-off",
] as const satisfies readonly (WaitingStatus | "back-off")[];

export type IdleKind = (typeof IDLE_KINDS)[number];

/**
 * Which nodes stand still, by reason, so that no step has to look at all nodes to
 * know. A node is noted whenever its row changes; entries that no longer hold
 * are dropped when they come up.
 */
export class IdleNodes {
  readonly #keys: Record<IdleKind, Set<TaskKey>> = {
    "waiting-approval": new Set(),
    "waiting-event": new Set(),
    "waiting-timer": new Set(),
    "waiting-quota": new Set(),
    "back-off": new Set(),
  };

  note(key: TaskKey, row: NodeRow): void {
    const kind = idleKindOf(row);
    if (kind !== null) this.#keys[kind].add(key);
  }

  /** Keys of the nodes that stand still for this reason, in the order in which they came to. */
  *of(kind: IdleKind, rowOf: (key: TaskKey) => NodeRow | undefined): Generator<TaskKey> {
    const keys = this.#keys[kind];
    for (const key of keys) {
      const row = rowOf(key);
      if (row !== undefined && idleKindOf(row) === kind) yield key;
      else keys.delete(key);
    }
  }
}

function idleKindOf(row: NodeRow): IdleKind | null {
  if (row.state === "pending") return row.dueAtMs === null ? null : "back-off";
  return isWaiting(row.state as RunStatus) ? (row.state as WaitingStatus) : null;
}
