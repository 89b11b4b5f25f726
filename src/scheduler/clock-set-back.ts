import { armDue } from "./nodes.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * The clock shows `byMs` less than it did. Limits of attempts and back-offs are
 * lengths of time and move with it, so that none of them takes longer than it
 * should. Timers and the time limits of waits are promised points in time and stay.
 */
export function clockSetBack(context: StepContext, byMs: number): void {
  const { state } = context;
  for (const key of state.running) {
    const node = state.nodes.get(key);
    if (node !== undefined) moveAttempt(context, node, byMs);
  }
  for (const key of [...state.idle.of("back-off", (key) => state.nodes.get(key)?.row)]) {
    const node = state.nodes.get(key);
    if (node === undefined || node.row.dueAtMs === null) continue;
    node.row.dueAtMs -= byMs;
    armDue(context, node);
    context.changed(node);
  }
}

/** The entries of before stay in the heap and come up too late to matter. */
function moveAttempt({ state }: StepContext, node: NodeRecord, byMs: number): void {
  const { attempt } = node;
  if (attempt === null) return;
  attempt.startedAtMs -= byMs;
  attempt.heartbeatAtMs -= byMs;
  const deadline = { key: node.key, attempt: attempt.no, order: node.vertex };
  const { startedAtMs, heartbeatAtMs, timeoutMs, heartbeatTimeoutMs } = attempt;
  if (timeoutMs !== null) {
    state.deadlines.push({ ...deadline, kind: "timeout", atMs: startedAtMs + timeoutMs });
  }
  if (heartbeatTimeoutMs !== null) {
    state.deadlines.push({ ...deadline, kind: "heartbeat", atMs: heartbeatAtMs + heartbeatTimeoutMs });
  }
}
