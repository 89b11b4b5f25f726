import type { AttemptRow, NodeRow, RunEvent, RunRow, SampledScore, StoredEvent } from "../../../src/index.js";
import { readTrail, type TrailLine } from "./trail.js";
import { quietExisting, type QuietStore } from "../quiet-store.js";

/** Everything that is known about a run afterwards: its rows, its log, and what its tasks left outside. */
export interface Evidence {
  run: RunRow;
  events: StoredEvent[];
  nodes: NodeRow[];
  attempts: AttemptRow[];
  /** Output rows by `<table>/<nodeId>::<iteration>`. */
  outputs: Record<string, unknown>;
  /** Oldest first. */
  scores: SampledScore[];
  trail: TrailLine[];
}

/** Of a run, of the runs it continued as, and of their child runs; always in the same order. */
export function gatherEvidence(database: string, runId: string, trailPath: string): Evidence[] {
  const store = quietExisting(database, { readOnly: true });
  const trail = readTrail(trailPath);
  try {
    return family(store, runId).map((run) => ({
      run,
      events: store.listEvents(run.runId, { limit: 1_000_000 }),
      nodes: store.listNodes(run.runId),
      attempts: store.listAttempts(run.runId),
      outputs: outputsOf(store, run.runId),
      scores: store.listScores({ runId: run.runId, limit: 1_000_000 }),
      trail: trail.filter((line) => line.runId === run.runId),
    }));
  } finally {
    store.close();
  }
}

function family(store: QuietStore, runId: string): RunRow[] {
  const run = store.getRun(runId);
  if (run === undefined) throw new Error(`There is no run ${runId}.`);
  const offspring = store.listRuns({ parentRunId: runId, limit: 1_000 }).map((row) => row.runId);
  return [run, ...offspring.sort().flatMap((id) => family(store, id))];
}

function outputsOf(store: QuietStore, runId: string): Record<string, unknown> {
  const rows: Record<string, unknown> = {};
  for (const { outputKey } of store.listOutputTables()) {
    if (outputKey === "input") continue;
    for (const row of store.listOutputs(runId, outputKey)) {
      rows[`${outputKey}/${row.nodeId}::${row.iteration}`] = { ...row };
    }
  }
  return rows;
}

/** Events of one type, in order. */
export function eventsOf<T extends RunEvent["type"]>(
  evidence: Pick<Evidence, "events">,
  type: T,
): Extract<RunEvent, { type: T }>[] {
  return evidence.events
    .map(({ event }) => event)
    .filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

export const attemptKey = (at: { nodeId: string; iteration: number; attempt: number }) =>
  `${at.nodeId}::${at.iteration}#${at.attempt}`;
