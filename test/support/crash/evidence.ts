import type { AttemptRow, NodeRow, RunEvent, RunRow, SampledScore, StoredEvent } from "../../../src/index.js";
import { readTrail, type TrailLine } from "./trail.js";
import type { Store } from "../../../src/store/contract.js";
import { openToLook } from "./place.js";

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

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Of a run, of the runs it continued as, and of their child runs; always in the same order. */
export async function gatherEvidence(
  database: string,
  runId: string,
  trailPath: string,
): Promise<Evidence[]> {
  const store: Store = openToLook(database);
  const trail = readTrail(trailPath);
  try {
    const all: Evidence[] = [];
    for (const run of await family(store, runId)) {
      all.push({
        run,
        events: await store.listEvents(run.runId, { limit: 1_000_000 }),
        nodes: await store.listNodes(run.runId),
        attempts: await store.listAttempts(run.runId),
        outputs: await outputsOf(store, run.runId),
        scores: await store.listScores({ runId: run.runId, limit: 1_000_000 }),
        trail: trail.filter((line) => line.runId === run.runId),
      });
    }
    return all;
  } finally {
    await store.close();
  }
}

async function family(store: Store, runId: string): Promise<RunRow[]> {
  const run = await store.getRun(runId);
  if (run === undefined) throw new Error(`There is no run ${runId}.`);
  const offspring = await store.listRuns({ parentRunId: runId, limit: 1_000 });
  const found = [run];
  // Their ids are chance; those of one workflow are alike.
  for (const { runId: id } of offspring.sort((a, b) => compare(a.workflowName, b.workflowName))) {
    found.push(...(await family(store, id)));
  }
  return found;
}

async function outputsOf(store: Store, runId: string): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const { outputKey } of await store.listOutputTables()) {
    if (outputKey === "input") continue;
    for (const row of await store.listOutputs(runId, outputKey)) {
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
