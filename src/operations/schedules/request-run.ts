import { ServiceError } from "../../errors/service-error.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import type { Occurrence } from "../../model/schedule.js";
import type { ServiceDb } from "../../store/index.js";
import { storeOf } from "../request/target.js";
import type { ScheduleOptions } from "./change-schedules.js";
import { pendingOccurrence } from "./occurrence.js";
import { checkedInput, noSchedule } from "./schedule-rules.js";

export interface ScheduledRunRequest {
  cronId: string;
  /** @default that of the schedule */
  input?: Record<string, unknown>;
  /** Who asks. */
  auth: Omit<RunAuthContext, "createdAt">;
}

/** Requests within one second that find a time of their own. */
const MOST_TRIES = 900;

/**
 * Asks for a run of a schedule now, also of one that is switched off. It overlaps as the schedule says; one
 * that does not is `pending`, until a gateway that has the workflow starts it.
 * @throws CRON_NOT_FOUND, INVALID_INPUT
 */
export async function requestScheduledRun(
  db: ServiceDb,
  { cronId, input, auth }: ScheduledRunRequest,
  { clock, knowsInput = false, dryRun = false }: ScheduleOptions = {},
): Promise<Occurrence> {
  const store = await storeOf(db);
  const schedule = await store.schedules.get(cronId);
  if (schedule === undefined) throw noSchedule(cronId);
  const given = input === undefined ? schedule.input : checkedInput(store, input, { isKnown: knowsInput });
  const nowMs = (clock ?? store.clock).now();
  const createdAt = new Date(nowMs).toISOString();
  let atMs = Math.floor(nowMs) - 1;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    atMs += 1;
    // Full seconds belong to the pattern.
    if (atMs % 1_000 === 0) atMs += 1;
    const wanted = pendingOccurrence(schedule, atMs, {
      nowMs,
      trigger: "manual",
      auth: { ...auth, createdAt },
      input: given,
    });
    if (dryRun) return wanted;
    if (await store.schedules.request(schedule, wanted)) {
      return (await store.schedules.occurrence(cronId, atMs)) ?? wanted;
    }
    if ((await store.schedules.get(cronId)) === undefined) throw noSchedule(cronId);
  }
  throw new ServiceError(
    "RATE_LIMITED",
    `Schedule ${cronId} was asked for a run too often within one second.`,
  );
}
