import type { Occurrence, Schedule } from "../../../src/model/schedule.js";
import type { WebhookDelivery } from "../../../src/model/webhook-delivery.js";
import { T0 } from "./fixtures.js";

export const schedule: Schedule = {
  cronId: "nightly",
  workflowKey: "report",
  pattern: "0 2 * * *",
  timeZone: "Europe/Berlin",
  overlap: "skip",
  catchUp: "latest",
  enabled: true,
  input: { topic: "Tee ☕" },
  createdBy: "ada",
  createdAtMs: T0,
  updatedAtMs: T0,
  revision: 0,
  coveredUntilMs: T0,
};

export function occurrence(scheduledAtMs: number, overrides: Partial<Occurrence> = {}): Occurrence {
  return {
    cronId: "nightly",
    scheduledAtMs,
    trigger: "schedule",
    state: "pending",
    recordedAtMs: scheduledAtMs + 5,
    settledAtMs: null,
    auth: {
      triggeredBy: "cron:gateway",
      role: "system",
      scopes: ["*"],
      createdAt: "2026-11-22T02:00:00.000Z",
    },
    input: { topic: "tea" },
    runId: `cron:nightly:${scheduledAtMs}`,
    isOpen: true,
    reason: null,
    error: null,
    ...overrides,
  };
}

export const delivery: WebhookDelivery = {
  webhookKey: "orders",
  deliveryKey: "id:d1",
  bodyDigest: "aa",
  state: "received",
  receivedAtMs: T0,
  settledAtMs: null,
  repeats: 0,
  plan: {
    signal: { name: "paid", correlationId: "7", runIds: ["a", "b"], data: { n: [1] } },
    run: { runId: "webhook:orders:x", input: { topic: "tea" } },
  },
  result: null,
  error: null,
  bodyText: '{"order":7}',
  replayOf: null,
  replayedBy: null,
};
