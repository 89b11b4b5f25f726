import type { SerializedError } from "../errors/ensure-error.js";
import type { RunAuthContext } from "./run-auth.js";

export const OVERLAP_POLICIES = ["skip", "queue", "allow"] as const;
/** The effect of an occurrence while a run of the same schedule continues. */
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

export const CATCH_UP_POLICIES = ["skip", "latest"] as const;
/** The effect of occurrences at which no process looked. */
export type CatchUpPolicy = (typeof CATCH_UP_POLICIES)[number];

/** Settings of a schedule, which can be changed later. */
export interface ScheduleSettings {
  /** Cron expression: five fields, or six with seconds in front. */
  pattern: string;
  /** IANA name of the zone that the pattern is read in. */
  timeZone: string;
  overlap: OverlapPolicy;
  catchUp: CatchUpPolicy;
  enabled: boolean;
  /** Input of its runs. */
  input: Record<string, unknown>;
}

/** Starts runs of one workflow at times. Times are epoch milliseconds. */
export interface Schedule extends ScheduleSettings {
  cronId: string;
  /** Key that the workflow is registered under. */
  workflowKey: string;
  /** Who made it. */
  createdBy: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Counts the changes of its settings. */
  revision: number;
  /** Every occurrence up to this time has been dealt with. */
  coveredUntilMs: number;
}

export const OCCURRENCE_STATES = [
  "pending",
  "queued",
  "fired",
  "skipped-overlap",
  "skipped-missed",
  "failed",
] as const;

/**
 * `pending`: its run is about to be started; `queued`: it waits for the run before it; `fired`: its run
 * was started; `skipped-overlap`: a run of the schedule was continuing; `skipped-missed`: no process was there;
 * `failed`: its run could not be started.
 */
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number];

/** One time at which a schedule was due, or was asked to run. Times are epoch milliseconds. */
export interface Occurrence {
  cronId: string;
  scheduledAtMs: number;
  /** By its pattern, or by request. */
  trigger: "schedule" | "manual";
  state: OccurrenceState;
  recordedAtMs: number;
  /** When it was started or given up. */
  settledAtMs: number | null;
  /** Who its run belongs to. */
  auth: RunAuthContext;
  /** Of the run that is to be started; null once that is settled. */
  input: Record<string, unknown> | null;
  /** Of the run that it starts; made of the schedule and the time, so that a start made twice is one run. */
  runId: string | null;
  /** It is still to be started, or its run has not been seen to end. */
  isOpen: boolean;
  /** Why it was skipped. */
  reason: string | null;
  /** Why it failed. */
  error: SerializedError | null;
}
