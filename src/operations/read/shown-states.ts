import { isTerminal, RUN_STATUSES, type RunState, type RunStatus } from "../../model/run.js";

/** States of a run that is stored as running; its owner has to be looked at to tell them apart. */
const UNDRIVEN = ["queued", "stale", "stopped", "orphaned"] as const;

/** States as runs are shown, and chosen by people: the stored ones, and those of runs that no process drives. */
export const SHOWN_STATES = [...RUN_STATUSES, ...UNDRIVEN] as const;

export type ShownState = (typeof SHOWN_STATES)[number];

/** Those of runs that have not ended. */
export const OPEN_STATES = SHOWN_STATES.filter((state) => !isTerminal(state as RunStatus));

/** A run is `running` only while its owner proves it. */
export function shownState({ status, runState }: { status: RunStatus; runState: RunState }): ShownState {
  return isUndriven(runState) ? runState : status;
}

/** The stored statuses of runs that are shown so. */
export function storedStatuses(states: readonly ShownState[]): RunStatus[] {
  return [...new Set(states.map((state) => (isUndriven(state) ? "running" : state)))];
}

function isUndriven(state: ShownState | RunState): state is (typeof UNDRIVEN)[number] {
  return (UNDRIVEN as readonly string[]).includes(state);
}
