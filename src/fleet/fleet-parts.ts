import { ServiceError } from "../errors/service-error.js";
import type { FleetStore, Store } from "../store/index.js";
import type { Clock } from "../util/clock.js";

/** What both sides of a fleet need. */
export interface FleetParts {
  readonly store: Store;
  /** Of the store. */
  readonly fleet: FleetStore;
  readonly clock: Clock;
}

/** A process that has given no sign of life for this long counts as dead, milliseconds. */
export const DEAD_AFTER_MS = 10_000;
/** Workers give a sign of life this often, milliseconds. */
export const BEAT_MS = 2_000;
/** What is announced is found at the latest after this time, milliseconds. */
export const LOOK_MS = 1_000;

/** The database cannot be reached at the moment, which says nothing about a task. */
export function isAway(error: unknown): boolean {
  return ServiceError.is(error, "DB_CONNECTION_LOST") || ServiceError.is(error, "DB_BUSY");
}
