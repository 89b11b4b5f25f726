import {
  DELIVERY_STATES,
  type DeliveredRun,
  type DeliveredSignal,
  type DeliveryPlan,
  type DeliveryResult,
  type WebhookDelivery,
  type WebhookRefusal,
} from "../../model/webhook-delivery.js";
import { count, flag, instant, json, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { anything, listOf, object, orNull, recordOf, string } from "../columns/shape.js";
import { errorShape } from "./error-shape.js";
import { authShape } from "./runs.js";

const planShape = object<DeliveryPlan>({
  signal: orNull(
    object<DeliveredSignal>({
      name: string,
      correlationId: orNull(string),
      runIds: listOf(string),
      data: anything,
    }),
  ),
  run: orNull(object<DeliveredRun>({ runId: string, input: recordOf(anything) })),
});

const resultShape = object<DeliveryResult>({
  delivered: listOf(object({ runId: string, signal: string, correlationId: orNull(string) })),
  started: orNull(object({ runId: string })),
});

export const deliveryTable = new RowTable<WebhookDelivery>({
  name: "_service_webhook_deliveries",
  key: ["webhookKey", "deliveryKey"],
  ofRun: false,
  storage: {
    indexes: { by_body: { on: ["webhook_key", "body_digest"] }, by_time: { on: ["received_at_ms"] } },
  },
  columns: {
    webhookKey: text("webhook_key"),
    deliveryKey: text("delivery_key"),
    bodyDigest: text("body_digest"),
    state: oneOf("state", DELIVERY_STATES),
    receivedAtMs: instant("received_at_ms"),
    settledAtMs: nullable(instant("settled_at_ms")),
    repeats: count("repeats"),
    plan: nullable(json("plan_json", planShape)),
    result: nullable(json("result_json", resultShape)),
    error: nullable(json("error_json", errorShape)),
    bodyText: nullable(text("body_text")),
    replayOf: nullable(text("replay_of")),
    replayedBy: nullable(json("replayed_by_json", authShape)),
  },
});

/** Bounded, however many are sent: a row for each minute and reason, of which `refusals.ts` keeps the newest. */
export const refusalTable = new RowTable<WebhookRefusal>({
  name: "_service_webhook_refusals",
  key: ["webhookKey", "code", "sinceMs"],
  ofRun: false,
  columns: {
    webhookKey: text("webhook_key"),
    code: text("code"),
    sinceMs: instant("since_ms"),
    refusedAtMs: instant("refused_at_ms"),
    requests: count("requests"),
    message: text("message"),
    isSigned: flag("is_signed"),
  },
});
