import type { Occurrence, Schedule } from "../../model/schedule.js";
import type { WebhookDelivery, WebhookRefusal } from "../../model/webhook-delivery.js";
import type {
  DeliveryFilter,
  DeliveryRecords,
  OccurrenceFilter,
  OccurrenceKey,
  RefusalFilter,
  ScheduleChange,
  ScheduleCover,
  ScheduleRecords,
} from "../host-records.js";
import { runsAwaiting } from "../repositories/awaiting-runs.js";
import * as deliveries from "../repositories/deliveries.js";
import { wasSent } from "../repositories/inbox.js";
import * as occurrences from "../repositories/occurrences.js";
import * as refusals from "../repositories/refusals.js";
import * as schedules from "../repositories/schedules.js";
import type { Work } from "../sql-port.js";
import type { Answered, WorkRunner, When } from "./answer.js";
import { read, unlessMissed, write } from "./work.js";

export class StoredSchedules<W extends When> implements ScheduleRecords {
  readonly #database: WorkRunner<W>;

  constructor(database: WorkRunner<W>) {
    this.#database = database;
  }

  create(schedule: Schedule): Answered<W, boolean> {
    return this.#database.read(schedules.insertSchedule(schedule));
  }

  get(cronId: string): Answered<W, Schedule | undefined> {
    return this.#database.read(schedules.getSchedule(cronId));
  }

  ids(): Answered<W, string[]> {
    return this.#database.read(schedules.listScheduleIds());
  }

  change(change: ScheduleChange): Answered<W, boolean> {
    return this.#database.run(unlessMissed((onMiss) => write(schedules.changeSchedule(change, onMiss))));
  }

  remove(cronId: string): Answered<W, boolean> {
    return this.#database.run(unlessMissed((onMiss) => write(schedules.deleteSchedule(cronId, onMiss))));
  }

  cover({ schedule, coveredUntilMs, due, missed }: ScheduleCover): Answered<W, boolean> {
    const statements = (onMiss: () => Error) => [
      schedules.moveSchedule(schedule, coveredUntilMs, onMiss),
      ...missed.map((occurrence) => occurrences.insertMissed(occurrence)),
      ...due.flatMap((occurrence) => occurrences.insertDue(schedule, occurrence)),
    ];
    return this.#database.run(unlessMissed((onMiss) => write(statements(onMiss))));
  }

  request(schedule: Schedule, occurrence: Occurrence): Answered<W, boolean> {
    const statements = (onMiss: () => Error) =>
      occurrences.insertDue(schedule, occurrence, { expectRows: 1, onMiss });
    return this.#database.run(unlessMissed((onMiss) => write(statements(onMiss))));
  }

  occurrence(cronId: string, scheduledAtMs: number): Answered<W, Occurrence | undefined> {
    return this.#database.read(occurrences.getOccurrence(cronId, scheduledAtMs));
  }

  occurrences(filter: OccurrenceFilter): Answered<W, Occurrence[]> {
    return this.#database.read(occurrences.listOccurrences(filter));
  }

  open(): Answered<W, OccurrenceKey[]> {
    return this.#database.read(occurrences.listOpen());
  }

  release(cronId: string, scheduledAtMs: number): Answered<W, boolean> {
    return this.#database.read(occurrences.nextOfQueue(cronId, scheduledAtMs));
  }

  complete(occurrence: Occurrence): Answered<W, boolean> {
    return this.#database.read(occurrences.completePending(occurrence));
  }

  closeOccurrence(cronId: string, scheduledAtMs: number): Answered<W, void> {
    return this.#database.run(write([occurrences.closeFired(cronId, scheduledAtMs)]));
  }

  prune(beforeMs: number): Answered<W, void> {
    return this.#database.run(write([occurrences.pruneOccurrences(beforeMs)], "relaxed"));
  }
}

export class StoredDeliveries<W extends When> implements DeliveryRecords {
  readonly #database: WorkRunner<W>;

  constructor(database: WorkRunner<W>) {
    this.#database = database;
  }

  receive(delivery: WebhookDelivery): Answered<W, { delivery: WebhookDelivery; isNew: boolean }> {
    return this.#database.run(receive(delivery));
  }

  get(webhookKey: string, deliveryKey: string): Answered<W, WebhookDelivery | undefined> {
    return this.#database.read(deliveries.getDelivery(webhookKey, deliveryKey));
  }

  complete(delivery: WebhookDelivery): Answered<W, boolean> {
    return this.#database.read(deliveries.completeDelivery(delivery));
  }

  countRepeat(webhookKey: string, deliveryKey: string): Answered<W, void> {
    return this.#database.run(write([deliveries.countRepeat(webhookKey, deliveryKey)], "relaxed"));
  }

  incomplete(webhookKey: string): Answered<W, string[]> {
    return this.#database.read(deliveries.listOpen(webhookKey));
  }

  awaiting(signal: string, correlationId: string | null): Answered<W, string[]> {
    return this.#database.read(runsAwaiting(signal, correlationId));
  }

  wasSent(runId: string, dedupeKey: string): Answered<W, boolean> {
    return this.#database.read(wasSent(runId, dedupeKey));
  }

  list(filter: DeliveryFilter): Answered<W, WebhookDelivery[]> {
    return this.#database.read(deliveries.listDeliveries(filter));
  }

  prune(beforeMs: number): Answered<W, void> {
    return this.#database.run(
      write([deliveries.pruneDeliveries(beforeMs), refusals.pruneRefusals(beforeMs)], "relaxed"),
    );
  }

  forgetBodies(beforeMs: number): Answered<W, void> {
    return this.#database.run(write([deliveries.forgetBodies(beforeMs)], "relaxed"));
  }

  refuse(refusal: WebhookRefusal): Answered<W, void> {
    return this.#database.run(write(refusals.keepRefusal(refusal), "relaxed"));
  }

  refusals({ webhookKey, limit }: RefusalFilter): Answered<W, WebhookRefusal[]> {
    return this.#database.read(refusals.listRefusals(webhookKey, limit));
  }
}

function* receive(delivery: WebhookDelivery): Work<{ delivery: WebhookDelivery; isNew: boolean }> {
  const { webhookKey, deliveryKey } = delivery;
  for (;;) {
    if (yield* read(deliveries.keepDelivery(delivery))) return { delivery, isNew: true };
    const known =
      (yield* read(deliveries.getDelivery(webhookKey, deliveryKey))) ??
      (yield* read(deliveries.getSameBody(delivery)));
    // Pruned since; rows of today never are.
    if (known !== undefined) return { delivery: known, isNew: false };
  }
}
