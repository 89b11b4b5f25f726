import type { AgentUse, QuotaWait } from "../../model/agent-use.js";
import type { NodeWait } from "../../model/intent.js";
import { OPEN_STATUSES } from "../../model/run.js";
import { nodeTable } from "../engine-tables/nodes.js";
import type { Query } from "../sql-port.js";
import { isOneOf } from "./rows.js";

/** Calls of all runs, scorers included, by agent and model; the one that was asked for most first. */
export function agentUse(sinceMs: number): Query<AgentUse[]> {
  return {
    sql: `SELECT agent_id, model, count(*), sum(input_tokens), sum(output_tokens), sum(coalesce(cache_read_tokens, 0)),
        max(at_ms) FROM _service_usage WHERE at_ms >= ? GROUP BY agent_id, model
      ORDER BY sum(input_tokens) + sum(output_tokens) DESC, agent_id, model`,
    params: [sinceMs],
    read: (rows) =>
      rows.map(([agentId, model, ...numbers]) => {
        const [calls, inputTokens, outputTokens, cacheReadTokens, lastUsedAtMs] = numbers.map(Number) as [
          number,
          number,
          number,
          number,
          number,
        ];
        return {
          agentId: String(agentId),
          model: typeof model === "string" ? model : null,
          calls,
          inputTokens,
          outputTokens,
          cacheReadTokens,
          lastUsedAtMs,
        };
      }),
  };
}

const waiting = nodeTable.pick("nodeId", "iteration", "dueAtMs", "wait");

/** Tasks of runs that have not ended, the first to be woken first. */
export function quotaWaits(limit: number): Query<QuotaWait[]> {
  return {
    sql: `SELECT ${waiting.names("n")}, r.run_id FROM _service_runs r
      JOIN _service_nodes n ON n.run_no = r.run_no
      WHERE ${isOneOf("r.status", OPEN_STATUSES.length)} AND n.state = 'waiting-quota'
      ORDER BY n.due_at_ms, r.run_id, n.node_id LIMIT ?`,
    params: [...OPEN_STATUSES, limit],
    read: (rows) =>
      rows.map((row) => {
        const { nodeId, iteration, dueAtMs, wait } = waiting.first([row.slice(0, -1)]) as {
          nodeId: string;
          iteration: number;
          dueAtMs: number | null;
          wait: NodeWait | null;
        };
        const agentId = wait?.kind === "quota" ? (wait.agentId ?? null) : null;
        return { runId: String(row.at(-1)), nodeId, iteration, agentId, resetAtMs: dueAtMs };
      }),
  };
}
