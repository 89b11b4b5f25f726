import type { WebhookRefusal } from "../../model/webhook-delivery.js";
import { refusalTable } from "../engine-tables/webhooks.js";
import type { Query, Statement } from "../sql-port.js";
import { placeholders } from "./rows.js";

/** Rows of one webhook and one code; there are no more, however many requests come. */
const MOST_ROWS = 50;

/** Adds it to the row of its minute, and forgets the oldest of its webhook and code. */
export function keepRefusal(refusal: WebhookRefusal): Statement[] {
  const newest = ["refused_at_ms", "message", "is_signed"].map((name) => `${name} = excluded.${name}`);
  const { webhookKey, code } = refusal;
  return [
    {
      sql: `INSERT INTO _service_webhook_refusals (${refusalTable.names()})
        VALUES (${placeholders(refusalTable.width)})
        ON CONFLICT (webhook_key, code, since_ms) DO UPDATE SET ${newest.join(", ")},
          requests = _service_webhook_refusals.requests + excluded.requests`,
      params: refusalTable.write(refusal),
    },
    {
      sql: `DELETE FROM _service_webhook_refusals WHERE webhook_key = ? AND code = ? AND since_ms <= (
        SELECT since_ms FROM _service_webhook_refusals WHERE webhook_key = ? AND code = ?
        ORDER BY since_ms DESC LIMIT 1 OFFSET ${MOST_ROWS})`,
      params: [webhookKey, code, webhookKey, code],
    },
  ];
}

/** Newest first. */
export function listRefusals(webhookKey: string, limit: number): Query<WebhookRefusal[]> {
  return {
    sql: `SELECT ${refusalTable.names()} FROM _service_webhook_refusals WHERE webhook_key = ?
      ORDER BY refused_at_ms DESC, code LIMIT ?`,
    params: [webhookKey, limit],
    read: (rows) => refusalTable.all(rows),
  };
}

export function pruneRefusals(beforeMs: number): Statement {
  return { sql: "DELETE FROM _service_webhook_refusals WHERE refused_at_ms < ?", params: [beforeMs] };
}
