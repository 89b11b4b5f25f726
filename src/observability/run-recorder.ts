import { taskKey } from "../model/address.js";
import { serviceMetrics } from "../metrics/catalog.js";
import type { ApprovalRow } from "../model/approval.js";
import type { EventBody } from "../model/events.js";
import type { RunRow } from "../model/run.js";
import { eventRecorders } from "./event-recorders.js";
import { OpenRuns } from "./open-runs.js";

/** The open parts of a run that continues. */
export interface LeftRun {
  readonly run: Pick<RunRow, "runId" | "startedAtMs">;
  readonly approvals: readonly ApprovalRow[];
}

const openRuns = new OpenRuns();

/** Counts what runs do, each known by its `runKey`. One for the process, as the metrics are. */
export const runRecorder = {
  /** Adds a committed event of a run to the metrics. */
  onEvent(body: EventBody, key: string, timestampMs: number): void {
    serviceMetrics.eventsEmittedTotal.add();
    const recorder = eventRecorders[body.type] as
      | ((event: EventBody, run: ReturnType<OpenRuns["of"]>, atMs: number) => void)
      | undefined;
    if (recorder === undefined) return;
    const run = openRuns.of(key);
    run.completeFailure(nodeOfNextAttempt(body));
    recorder(body, run, timestampMs);
    if (run.isOver) openRuns.drop(key);
  },

  /** Learns since when a stored run goes, and its questions have been asked. */
  onResume({ run, approvals }: LeftRun, key: string): void {
    const open = openRuns.of(key);
    open.adopt(run.startedAtMs);
    for (const row of approvals) if (row.status === "requested") open.ask(taskKey(row), row.requestedAtMs);
  },

  onTurn(key: string, load: { queued: number; running: number; slots: number }): void {
    openRuns.setLoad(key, load);
  },

  /** The run has ended, or continues elsewhere or later. */
  onRelease(key: string): void {
    openRuns.drop(key);
  },
};

/** The node whose failure was not its last attempt, if this event says so. */
function nodeOfNextAttempt(body: EventBody): string | undefined {
  // A person whose answer did not fit is asked again.
  const isAgain = body.type === "NodeRetrying" || body.type === "ApprovalRequested";
  return isAgain ? taskKey(body) : undefined;
}
