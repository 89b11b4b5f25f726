import type { AgentUse, QuotaWait } from "../../model/agent-use.js";
import type { ServiceDb } from "../../store/index.js";

/** What the agents of some databases were asked, and which of them wait. */
export interface AgentActivity {
  /** Since when calls are counted, epoch milliseconds. */
  sinceMs: number;
  /** By agent and model; the one with the most tokens first. */
  used: AgentUse[];
  /** The first to be woken first, at most 200. */
  waiting: QuotaWait[];
}

const MOST_WAITING = 200;

/** Counted by the databases, from all calls that runs keep: of runs that were pruned nothing is left. */
export async function agentActivity(
  databases: readonly ServiceDb[],
  sinceMs: number,
): Promise<AgentActivity> {
  const used = new Map<string, AgentUse>();
  const waiting: QuotaWait[] = [];
  for (const { store } of databases) {
    await store.prepare();
    for (const use of await store.agentUse(sinceMs)) {
      const key = JSON.stringify([use.agentId, use.model]);
      used.set(key, together(used.get(key), use));
    }
    waiting.push(...(await store.quotaWaits(MOST_WAITING)));
  }
  const tokens = (use: AgentUse) => use.inputTokens + use.outputTokens;
  return {
    sinceMs,
    used: [...used.values()].sort((a, b) => tokens(b) - tokens(a)),
    waiting: waiting.sort((a, b) => (a.resetAtMs ?? 0) - (b.resetAtMs ?? 0)).slice(0, MOST_WAITING),
  };
}

function together(one: AgentUse | undefined, other: AgentUse): AgentUse {
  if (one === undefined) return other;
  return {
    agentId: one.agentId,
    model: one.model,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    lastUsedAtMs: Math.max(one.lastUsedAtMs, other.lastUsedAtMs),
  };
}
