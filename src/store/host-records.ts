import type { Occurrence, Schedule, ScheduleSettings } from "../model/schedule.js";
import type { WebhookDelivery, WebhookRefusal } from "../model/webhook-delivery.js";
import type { Awaitable } from "../util/awaitable.js";

/**
 * Records that hosts keep in a database besides runs. Rows belong to no run and no lease: each write is
 * conditional on what its writer has seen, so that of several hosts one wins.
 */
export interface ScheduleRecords {
  /** False when the id is taken. */
  create(schedule: Schedule): Awaitable<boolean>;
  get(cronId: string): Awaitable<Schedule | undefined>;
  /** Of all schedules, in order. */
  ids(): Awaitable<string[]>;
  /**
   * Counts the revision up. A schedule that is switched off gives up what it has queued. False when it is gone,
   * or another process has changed it since.
   */
  change(change: ScheduleChange): Awaitable<boolean>;
  /** With its history. False when there is none. */
  remove(cronId: string): Awaitable<boolean>;
  /**
   * Moves the schedule on and records due and missed times, all or nothing. A time that overlaps
   * becomes `queued` or `skipped-overlap` as the schedule says; a time that is recorded already stays as it is.
   * False when another process has moved or changed the schedule since.
   */
  cover(cover: ScheduleCover): Awaitable<boolean>;
  /** As `cover`, of a requested occurrence. False when the schedule is gone or its time is taken. */
  request(schedule: Schedule, occurrence: Occurrence): Awaitable<boolean>;
  occurrence(cronId: string, scheduledAtMs: number): Awaitable<Occurrence | undefined>;
  /** Newest first. */
  occurrences(filter: OccurrenceFilter): Awaitable<Occurrence[]>;
  /** Of those that are still to be started, or whose run has not been seen to end; oldest first. */
  open(): Awaitable<OccurrenceKey[]>;
  /** The queued occurrence is to be started, if nothing before it is open any more. */
  release(cronId: string, scheduledAtMs: number): Awaitable<boolean>;
  /** A pending occurrence was started or failed. False when it is no longer pending. */
  complete(occurrence: Occurrence): Awaitable<boolean>;
  /** The run of a fired occurrence has ended. */
  closeOccurrence(cronId: string, scheduledAtMs: number): Awaitable<void>;
  /** Forgets what was recorded before the time and is not open. */
  prune(beforeMs: number): Awaitable<void>;
}

export interface ScheduleChange extends ScheduleSettings {
  cronId: string;
  /** As its writer has seen it. */
  revision: number;
  updatedAtMs: number;
  /** Absent = as it is. */
  coveredUntilMs?: number;
}

export interface ScheduleCover {
  /** As its writer has seen it. */
  schedule: Schedule;
  coveredUntilMs: number;
  /** Oldest first. */
  due: readonly Occurrence[];
  missed: readonly Occurrence[];
}

export type OccurrenceKey = Pick<Occurrence, "cronId" | "scheduledAtMs">;

export interface OccurrenceFilter {
  cronId?: string;
  limit: number;
}

export interface DeliveryRecords {
  /**
   * Keeps the delivery. One that is no news is not kept: one of its key that has not failed, or one of the same
   * body that came without an id, or with one while this one has none.
   * @returns the row that counts, and whether it is this one
   */
  receive(delivery: WebhookDelivery): Awaitable<{ delivery: WebhookDelivery; isNew: boolean }>;
  get(webhookKey: string, deliveryKey: string): Awaitable<WebhookDelivery | undefined>;
  /** False when it was completed before. */
  complete(delivery: WebhookDelivery): Awaitable<boolean>;
  countRepeat(webhookKey: string, deliveryKey: string): Awaitable<void>;
  /** Keys of the deliveries that are not completed, oldest first. */
  incomplete(webhookKey: string): Awaitable<string[]>;
  /** Ids of runs with a node that waits for exactly this signal, oldest first. */
  awaiting(signal: string, correlationId: string | null): Awaitable<string[]>;
  /** Whether the run, or one that continues it, has been sent an intent of this key. */
  wasSent(runId: string, dedupeKey: string): Awaitable<boolean>;
  /** Newest first. */
  list(filter: DeliveryFilter): Awaitable<WebhookDelivery[]>;
  /** Counts requests that were refused, in the row of their minute. The newest rows of each webhook and code are kept. */
  refuse(refusal: WebhookRefusal): Awaitable<void>;
  /** Newest first. */
  refusals(filter: RefusalFilter): Awaitable<WebhookRefusal[]>;
  /** Forgets what was received before the time and is completed, and what was refused before it. */
  prune(beforeMs: number): Awaitable<void>;
  /** Forgets the bodies of what was received before the time. */
  forgetBodies(beforeMs: number): Awaitable<void>;
}

export interface RefusalFilter {
  webhookKey: string;
  limit: number;
}

export interface DeliveryFilter {
  webhookKey?: string;
  limit: number;
}
