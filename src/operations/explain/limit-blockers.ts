import { isAliveAt } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import type { LimitQueue, LimitUse, Store } from "../../store/index.js";
import { instantText } from "../../util/instant-text.js";
import type { Blocker } from "./blocker.js";

/** Holders that a sentence names at most. */
const MOST_NAMED = 5;

/** Tasks that could start and wait for a slot of a named limit. */
export async function limitBlockers(store: Store, run: RunRow, nowMs: number): Promise<Blocker[]> {
  if (run.status !== "running" || run.ownerId === null) return [];
  const queues = await store.limits.queuesOf(run.runId, { nowMs, isAlive: isAliveAt(nowMs) });
  return queues.flatMap((queue) =>
    queue.nodes.map((node) => ({ ...blockerOf(queue, node.nodeId), ...node })),
  );
}

function blockerOf({ use, sinceMs, ahead }: LimitQueue, nodeId: string): Blocker {
  // While all are held the end of an attempt decides, at an unknown time.
  const isHeld = use.some(
    ({ concurrency, holders }) => concurrency !== null && holders.length >= concurrency,
  );
  const opensAtMs = Math.max(...use.map((limit) => limit.opensAtMs ?? 0));
  const others = ahead === 0 ? "" : ` ${ahead} other run(s) get one first.`;
  return {
    kind: "limit",
    sinceMs,
    ...(opensAtMs > 0 && !isHeld && { untilMs: opensAtMs }),
    limits: [...use],
    ahead,
    summary: `${nodeId} could start, but waits for a slot of ${use.map(describeUse).join(" and of ")}.${others}`,
    remedy: null,
  };
}

/** `model-x (2 at once; held by a (run r))` */
function describeUse({ name, concurrency, perMinute, holders, opensAtMs }: LimitUse): string {
  const named = holders.slice(0, MOST_NAMED).map(({ nodeId, runId }) => `${nodeId} of run ${runId}`);
  if (holders.length > MOST_NAMED) named.push(`${holders.length - MOST_NAMED} more`);
  const parts = [
    ...(concurrency === null ? [] : [`${concurrency} at once`]),
    ...(perMinute === null ? [] : [`${perMinute} a minute`]),
    ...(concurrency !== null && named.length > 0 ? [`held by ${named.join(", ")}`] : []),
    ...(opensAtMs === null ? [] : [`none may start before ${instantText(opensAtMs)}`]),
  ];
  return `the limit ${name} (${parts.join("; ")})`;
}
