import { taskKey, type TaskPlace } from "../../model/address.js";
import type { Blocker } from "./blocker.js";

/** Tasks of a group that are named at most. */
const MOST_NODES = 10;

/** Several blockers of one cause as one: the first of them, with how many it stands for. */
export type BlockerGroup<B extends Blocker = Blocker> = B & {
  /** Tasks that wait for the same. Absent for one. */
  count?: number;
  /** The first of them. Absent for one. */
  nodes?: TaskPlace[];
};

/** The order in which people need them: failures, decisions, what others have to send, what time brings, turns. */
const ORDER: readonly (readonly Blocker["kind"][])[] = [
  ["failed-task", "owner", "code-changed", "resume-failed", "paused"],
  ["approval"],
  ["event", "hijack", "decision-pending"],
  ["timer", "quota", "retry", "queued", "scores"],
  ["dependency", "concurrency", "limit", "worker"],
];

/** Blockers by cause, those first that people have to do with: equal ones are one, with a count. */
export function groupBlockers<B extends Blocker>(blockers: readonly B[]): BlockerGroup<B>[] {
  const groups = new Map<string, B[]>();
  for (const blocker of blockers) {
    const key = causeOf(blocker);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [blocker]);
    else group.push(blocker);
  }
  return [...groups.values()].map(asOne).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Equal for blockers that say the same of different tasks. */
export function causeOf(blocker: Blocker): string {
  const { kind, runId, nodeId, iteration = 0 } = blocker;
  const node = nodeId === undefined ? null : taskKey({ nodeId, iteration });
  return JSON.stringify([kind, runId ?? null, ...(sharedCause(blocker) ?? ["of", node])]);
}

/** Undefined of what is about one task alone, as a question or a failure is. */
function sharedCause(blocker: Blocker): unknown[] | undefined {
  const { kind, waitsFor = [], cap, limits = [], ahead, untilMs, error, event, correlationId } = blocker;
  switch (kind) {
    case "dependency":
      return [blocker.awaited ?? waitsFor.length, ...waitsFor.map(taskKey)];
    case "concurrency":
      return [cap?.groupId, cap?.limit];
    case "worker":
      // What is said of it besides the task.
      return [blocker.queue, blocker.summary.slice(blocker.summary.indexOf(" "))];
    case "limit":
      return [ahead, ...limits.map(({ name }) => name)];
    case "retry":
      return [error?.code, error?.message];
    case "timer":
    case "quota":
      return [untilMs];
    case "event":
      return [event, correlationId];
    case "decision-pending":
      return [];
    default:
      return undefined;
  }
}

function asOne<B extends Blocker>(group: readonly B[]): BlockerGroup<B> {
  const [first] = group as readonly [B, ...B[]];
  const count = group.reduce((sum, { unnamed = 0 }) => sum + 1 + unnamed, 0);
  if (count === 1) return first;
  const { unnamed: _unnamed, ...shown } = first;
  const nodes = group.flatMap(({ nodeId, iteration = 0 }) =>
    nodeId === undefined ? [] : [{ nodeId, iteration }],
  );
  const named = nodes.slice(0, MOST_NODES);
  const others = named.slice(1, 4).map(({ nodeId }) => nodeId);
  if (count > others.length + 1) others.push("…");
  const summary = `${first.summary} The same holds for ${count - 1} more: ${others.join(", ")}.`;
  return { ...(shown as B), count, nodes: named, summary: summary.replace(/…\.$/, "…") };
}

function rankOf({ kind }: Blocker): number {
  return ORDER.findIndex((kinds) => kinds.includes(kind));
}
