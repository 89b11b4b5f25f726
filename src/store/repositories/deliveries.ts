import type { WebhookDelivery } from "../../model/webhook-delivery.js";
import { deliveryTable } from "../engine-tables/webhooks.js";
import type { DeliveryFilter } from "../host-records.js";
import type { Query, Statement } from "../sql-port.js";
import { touched } from "./occurrences.js";
import { placeholders } from "./rows.js";

const SELECT = `SELECT ${deliveryTable.names()} FROM _service_webhook_deliveries`;
const AT = "webhook_key = ? AND delivery_key = ?";

const WITHOUT_ID = "delivery_key LIKE 'body:%'";

/**
 * A delivery of the same body that this one repeats although its key is another: ids are not signed, so one
 * that is left out, or put where there was none, makes no new delivery. A replay is meant to be one.
 */
function sameBody({ webhookKey, deliveryKey, bodyDigest, replayOf }: WebhookDelivery): Statement {
  if (replayOf !== null) return { sql: "1 = 0", params: [] };
  const isWithoutId = deliveryKey.startsWith("body:");
  return {
    sql: `webhook_key = ? AND body_digest = ? AND delivery_key <> ? AND state <> 'failed'
      ${isWithoutId ? "" : `AND ${WITHOUT_ID}`}`,
    params: [webhookKey, bodyDigest, deliveryKey],
  };
}

/**
 * Whether the row was kept: as a new one, or in the place of one that has failed. The same body has the age of
 * its first try, so that trying again keeps no captured request alive.
 */
export function keepDelivery(delivery: WebhookDelivery): Query<boolean> {
  const same = sameBody(delivery);
  const others = deliveryTable.otherNames.filter((name) => name !== "repeats" && name !== "received_at_ms");
  return touched({
    sql: `INSERT INTO _service_webhook_deliveries (${deliveryTable.names()})
      SELECT ${placeholders(deliveryTable.width)}
      WHERE NOT EXISTS (SELECT 1 FROM _service_webhook_deliveries WHERE ${same.sql})
      ON CONFLICT (webhook_key, delivery_key) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")},
        received_at_ms = CASE WHEN _service_webhook_deliveries.body_digest = excluded.body_digest
          THEN _service_webhook_deliveries.received_at_ms ELSE excluded.received_at_ms END
        WHERE _service_webhook_deliveries.state = 'failed'`,
    params: [...deliveryTable.write(delivery), ...same.params],
  });
}

export function getDelivery(webhookKey: string, deliveryKey: string): Query<WebhookDelivery | undefined> {
  return {
    sql: `${SELECT} WHERE ${AT}`,
    params: [webhookKey, deliveryKey],
    read: (rows) => deliveryTable.first(rows),
  };
}

export function getSameBody(delivery: WebhookDelivery): Query<WebhookDelivery | undefined> {
  const { sql, params } = sameBody(delivery);
  return {
    sql: `${SELECT} WHERE ${sql} ORDER BY received_at_ms DESC LIMIT 1`,
    params,
    read: (rows) => deliveryTable.first(rows),
  };
}

/** Whether it was not completed before. */
export function completeDelivery(delivery: WebhookDelivery): Query<boolean> {
  const members = ["state", "settledAtMs", "plan", "result", "error"] as const;
  const set = members.map((member) => `${deliveryTable.columns[member].name} = ?`).join(", ");
  return touched({
    sql: `UPDATE _service_webhook_deliveries SET ${set} WHERE ${AT} AND state = 'received' AND body_digest = ?`,
    params: [
      ...members.map((member) => deliveryTable.writeMember(member, delivery[member])),
      delivery.webhookKey,
      delivery.deliveryKey,
      delivery.bodyDigest,
    ],
  });
}

export function countRepeat(webhookKey: string, deliveryKey: string): Statement {
  return {
    sql: `UPDATE _service_webhook_deliveries SET repeats = repeats + 1 WHERE ${AT}`,
    params: [webhookKey, deliveryKey],
  };
}

/** Newest first. */
export function listDeliveries({ webhookKey, limit }: DeliveryFilter): Query<WebhookDelivery[]> {
  const where = webhookKey === undefined ? "" : " WHERE webhook_key = ?";
  return {
    sql: `${SELECT}${where} ORDER BY received_at_ms DESC, delivery_key LIMIT ?`,
    params: [...(webhookKey === undefined ? [] : [webhookKey]), limit],
    read: (rows) => deliveryTable.all(rows),
  };
}

const keys = deliveryTable.pick("deliveryKey");

export function listOpen(webhookKey: string): Query<string[]> {
  return {
    sql: `SELECT ${keys.names()} FROM _service_webhook_deliveries
      WHERE webhook_key = ? AND state = 'received' ORDER BY received_at_ms`,
    params: [webhookKey],
    read: (rows) => keys.all(rows).map(({ deliveryKey }) => deliveryKey),
  };
}

export function pruneDeliveries(beforeMs: number): Statement {
  return {
    sql: "DELETE FROM _service_webhook_deliveries WHERE received_at_ms < ? AND state <> 'received'",
    params: [beforeMs],
  };
}

export function forgetBodies(beforeMs: number): Statement {
  return {
    sql: "UPDATE _service_webhook_deliveries SET body_text = NULL WHERE received_at_ms < ? AND body_text IS NOT NULL",
    params: [beforeMs],
  };
}
