import { ServiceError } from "../../errors/service-error.js";
import type { Schedule, ScheduleSettings } from "../../model/schedule.js";
import { checkOptions, defaultsOf, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { Clock } from "../../util/clock.js";
import { newId } from "../../util/ids.js";
import type { ServiceDb } from "../../store/index.js";
import { storeOf } from "../request/target.js";
import { checkPattern, spelledZone } from "./cron-times.js";
import {
  checkedInput,
  CODE_PREFIX,
  type GivenSettings,
  isOfCode,
  noSchedule,
  SETTING_RULES,
} from "./schedule-rules.js";

/** A new schedule. */
export interface CreateScheduleRequest extends GivenSettings {
  /** Key that a gateway has the workflow under. */
  workflowKey: string;
  /** 1 to 128 letters, digits or `. : @ _ -`. @default a random id */
  cronId?: string;
  /** Who makes it. */
  createdBy: string;
}

export interface ScheduleOptions {
  /** @default the database's */
  clock?: Clock;
  /** Whether the database handle is the workflow's own, and knows its input. @default false */
  knowsInput?: boolean;
  /** Only check it, and say what it would come to. @default false */
  dryRun?: boolean;
}

const CREATE_RULES = {
  ...SETTING_RULES,
  workflowKey: rules.required(rules.name),
  cronId: rules.checked<string>(
    `1 to 128 letters, digits or . : @ _ -, not beginning with ${CODE_PREFIX}`,
    (value) => typeof value === "string" && /^[\w.:@-]{1,128}$/.test(value) && !isOfCode(value),
  ),
  createdBy: rules.required(rules.name),
} satisfies rules.OptionRules<CreateScheduleRequest>;

/** @throws INVALID_INPUT naming what is wrong; CRON_EXISTS */
export async function createSchedule(
  db: ServiceDb,
  request: CreateScheduleRequest,
  { clock, knowsInput = false, dryRun = false }: ScheduleOptions = {},
): Promise<Schedule> {
  const { cronId = newId(), ...given } = checkOptions("createSchedule", request, CREATE_RULES);
  const store = await storeOf(db);
  const schedule = newSchedule({ ...given, cronId }, (clock ?? store.clock).now());
  schedule.input = checkedInput(store, schedule.input, { isKnown: knowsInput });
  const isFree = dryRun
    ? (await store.schedules.get(schedule.cronId)) === undefined
    : await store.schedules.create(schedule);
  if (isFree) return schedule;
  throw new ServiceError("CRON_EXISTS", `There is a schedule ${schedule.cronId} already.`, {
    details: { cronId: schedule.cronId },
  });
}

function newSchedule(request: CreateScheduleRequest & { cronId: string }, nowMs: number): Schedule {
  const { cronId, workflowKey, createdBy, ...given } = request;
  const settings: ScheduleSettings = {
    ...defaultsOf(SETTING_RULES),
    ...given,
  };
  checkPattern(settings, nowMs);
  settings.timeZone = spelledZone(settings.timeZone);
  return {
    cronId,
    workflowKey,
    ...settings,
    createdBy,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 0,
    coveredUntilMs: nowMs,
  };
}

/** Settings to change; absent ones stay. */
export type ScheduleChanges = Partial<GivenSettings>;

const CHANGE_RULES = { ...SETTING_RULES, pattern: rules.name } satisfies rules.OptionRules<ScheduleChanges>;

/**
 * A schedule that is switched on, or gets other times, continues from now: what it would have done before is not missed.
 * The pattern of one that a gateway's code defines is changed there.
 * @throws CRON_NOT_FOUND, INVALID_INPUT
 */
export async function updateSchedule(
  db: ServiceDb,
  { cronId, ...changes }: ScheduleChanges & { cronId: string },
  options: ScheduleOptions = {},
): Promise<Schedule> {
  checkOptions("updateSchedule", changes, CHANGE_RULES);
  const store = await storeOf(db);
  const known = await store.schedules.get(cronId);
  if (known === undefined) throw noSchedule(cronId);
  if (isOfCode(cronId) && changes.pattern !== undefined) {
    refuseOption(
      "pattern",
      "nothing for a schedule whose pattern is in the code of a gateway",
      changes.pattern,
    );
  }
  return applyChanges(db, known, { changes, options });
}

async function applyChanges(
  db: ServiceDb,
  known: Schedule,
  { changes, options }: { changes: ScheduleChanges; options: ScheduleOptions },
): Promise<Schedule> {
  const store = await storeOf(db);
  const { clock = store.clock, knowsInput = false, dryRun = false } = options;
  const nowMs = clock.now();
  const changed = { ...known, ...changes, updatedAtMs: nowMs };
  if (changes.input !== undefined) {
    changed.input = checkedInput(store, changes.input, { isKnown: knowsInput });
  }
  checkPattern(changed, nowMs);
  changed.timeZone = spelledZone(changed.timeZone);
  const continuesFromNow =
    changed.pattern !== known.pattern ||
    changed.timeZone !== known.timeZone ||
    (changed.enabled && !known.enabled);
  const { coveredUntilMs, ...change } = changed;
  if (dryRun) return { ...changed, coveredUntilMs: continuesFromNow ? nowMs : coveredUntilMs };
  const isChanged = await store.schedules.change({
    ...change,
    ...(continuesFromNow && { coveredUntilMs: nowMs }),
  });
  const now = await store.schedules.get(known.cronId);
  if (now === undefined) throw noSchedule(known.cronId);
  // A change that another process has made meanwhile stays.
  return isChanged ? now : applyChanges(db, now, { changes, options });
}

/**
 * With its history. Runs that it has started continue.
 * @throws CRON_NOT_FOUND; INVALID_INPUT for one that a gateway's code defines
 */
export async function deleteSchedule(
  db: ServiceDb,
  cronId: string,
  { dryRun = false }: Pick<ScheduleOptions, "dryRun"> = {},
): Promise<void> {
  const store = await storeOf(db);
  const isThere = (await store.schedules.get(cronId)) !== undefined;
  if (isThere && isOfCode(cronId)) {
    refuseOption("cronId", "no schedule that the code of a gateway defines; it can be switched off", cronId);
  }
  if (!(dryRun ? isThere : await store.schedules.remove(cronId))) throw noSchedule(cronId);
}

/** A workflow's schedule as the code of a gateway declares it. */
export interface CodeSchedule {
  workflowKey: string;
  /** Absent: there is none. */
  pattern?: string;
}

/**
 * The one schedule that a registered workflow has by its code gets the pattern that the code says, or goes with
 * it. Its other settings stay.
 */
export async function declareSchedule(
  db: ServiceDb,
  { workflowKey, pattern }: CodeSchedule,
  options: Pick<ScheduleOptions, "clock"> = {},
): Promise<void> {
  const { schedules, clock: ownClock } = await storeOf(db);
  const { clock = ownClock } = options;
  const cronId = `${CODE_PREFIX}${workflowKey}`;
  if (pattern === undefined) {
    await schedules.remove(cronId);
    return;
  }
  const wanted = newSchedule({ cronId, workflowKey, pattern, createdBy: "gateway" }, clock.now());
  if (await schedules.create(wanted)) return;
  const known = await schedules.get(cronId);
  if (known === undefined || known.pattern === pattern) return;
  await applyChanges(db, known, { changes: { pattern }, options: { clock } });
}
