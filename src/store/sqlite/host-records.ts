import type { Occurrence, Schedule } from "../../model/schedule.js";
import type { WebhookDelivery } from "../../model/webhook-delivery.js";
import type {
  DeliveryFilter,
  DeliveryRecords,
  OccurrenceFilter,
  OccurrenceKey,
  ScheduleChange,
  ScheduleCover,
  ScheduleRecords,
} from "../host-records.js";
import { runsAwaiting } from "../repositories/awaiting-runs.js";
import * as deliveries from "../repositories/deliveries.js";
import { wasSent } from "../repositories/inbox.js";
import * as occurrences from "../repositories/occurrences.js";
import * as schedules from "../repositories/schedules.js";
import type { Query, Statement, SyncSqlPort } from "../sql-port.js";

/** Where the port comes from: the file is opened at the first call. */
type Port = () => SyncSqlPort;

function ask<T>(port: Port, { sql, params, read }: Query<T>): T {
  return read(port().all(sql, params));
}

/** All statements or, when one finds that somebody was faster, none: then false. */
function unless(port: Port, statements: (onMiss: () => Error) => readonly Statement[]): boolean {
  const missed = new Error("somebody was faster");
  try {
    port().write(statements(() => missed));
    return true;
  } catch (error) {
    if (error === missed) return false;
    throw error;
  }
}

export class SqliteSchedules implements ScheduleRecords {
  readonly #port: Port;

  constructor(port: Port) {
    this.#port = port;
  }

  create(schedule: Schedule): boolean {
    return ask(this.#port, schedules.insertSchedule(schedule));
  }

  get(cronId: string): Schedule | undefined {
    return ask(this.#port, schedules.getSchedule(cronId));
  }

  ids(): string[] {
    return ask(this.#port, schedules.listScheduleIds());
  }

  change(change: ScheduleChange): boolean {
    return unless(this.#port, (onMiss) => schedules.changeSchedule(change, onMiss));
  }

  remove(cronId: string): boolean {
    return unless(this.#port, (onMiss) => schedules.deleteSchedule(cronId, onMiss));
  }

  cover({ schedule, coveredUntilMs, due, missed }: ScheduleCover): boolean {
    return unless(this.#port, (onMiss) => [
      schedules.moveSchedule(schedule, coveredUntilMs, onMiss),
      ...missed.map((occurrence) => occurrences.insertMissed(occurrence)),
      ...due.flatMap((occurrence) => occurrences.insertDue(schedule, occurrence)),
    ]);
  }

  request(schedule: Schedule, occurrence: Occurrence): boolean {
    return unless(this.#port, (onMiss) =>
      occurrences.insertDue(schedule, occurrence, { expectRows: 1, onMiss }),
    );
  }

  occurrence(cronId: string, scheduledAtMs: number): Occurrence | undefined {
    return ask(this.#port, occurrences.getOccurrence(cronId, scheduledAtMs));
  }

  occurrences(filter: OccurrenceFilter): Occurrence[] {
    return ask(this.#port, occurrences.listOccurrences(filter));
  }

  open(): OccurrenceKey[] {
    return ask(this.#port, occurrences.listOpen());
  }

  release(cronId: string, scheduledAtMs: number): boolean {
    return ask(this.#port, occurrences.nextOfQueue(cronId, scheduledAtMs));
  }

  settle(occurrence: Occurrence): boolean {
    return ask(this.#port, occurrences.completePending(occurrence));
  }

  closeOccurrence(cronId: string, scheduledAtMs: number): void {
    this.#port().write([occurrences.closeFired(cronId, scheduledAtMs)]);
  }

  prune(beforeMs: number): void {
    this.#port().write([occurrences.pruneOccurrences(beforeMs)], "relaxed");
  }
}

export class SqliteDeliveries implements DeliveryRecords {
  readonly #port: Port;

  constructor(port: Port) {
    this.#port = port;
  }

  receive(delivery: WebhookDelivery): { delivery: WebhookDelivery; isNew: boolean } {
    const { webhookKey, deliveryKey } = delivery;
    if (ask(this.#port, deliveries.keepDelivery(delivery))) return { delivery, isNew: true };
    const known = this.get(webhookKey, deliveryKey) ?? ask(this.#port, deliveries.getSameBody(delivery));
    // Pruned since; rows of today never are.
    return known === undefined ? this.receive(delivery) : { delivery: known, isNew: false };
  }

  get(webhookKey: string, deliveryKey: string): WebhookDelivery | undefined {
    return ask(this.#port, deliveries.getDelivery(webhookKey, deliveryKey));
  }

  settle(delivery: WebhookDelivery): boolean {
    return ask(this.#port, deliveries.completeDelivery(delivery));
  }

  countRepeat(webhookKey: string, deliveryKey: string): void {
    this.#port().write([deliveries.countRepeat(webhookKey, deliveryKey)], "relaxed");
  }

  unsettled(webhookKey: string): string[] {
    return ask(this.#port, deliveries.listOpen(webhookKey));
  }

  awaiting(signal: string, correlationId: string | null): string[] {
    return ask(this.#port, runsAwaiting(signal, correlationId));
  }

  wasSent(runId: string, dedupeKey: string): boolean {
    return ask(this.#port, wasSent(runId, dedupeKey));
  }

  list(filter: DeliveryFilter): WebhookDelivery[] {
    return ask(this.#port, deliveries.listDeliveries(filter));
  }

  prune(beforeMs: number): void {
    this.#port().write([deliveries.pruneDeliveries(beforeMs)], "relaxed");
  }
}
