import { join } from "node:path";
import { expect } from "vitest";
import type { RunResult } from "../../../src/index.js";
import type { Workshop } from "./bundle.js";
import { checkHistory } from "./check-history.js";
import { type Death, liveAndDie } from "./driver-process.js";
import { type Evidence, gatherEvidence } from "./evidence.js";
import type { WorkflowName } from "./workflows.js";

/** A run that went from process to process. */
export interface RunHistory {
  result: RunResult;
  /** Of the run and of those that came from it. */
  evidence: Evidence[];
  kills: number;
  /** How long the last process drove the run, milliseconds. */
  droveMs: number;
}

/** More processes than this for one run mean that it makes no progress. */
const MOST_LIVES = 60;

/**
 * Drives a run, in a file of its own or in the database given, by one process after the other, each dying as `deaths` says, until
 * one of them reaches the end; then checks the whole history.
 */
export async function driveToTheEnd(
  workshop: Workshop,
  { database: given, ...run }: { workflow: WorkflowName; runId: string; database?: string },
  deaths: Iterator<Death>,
): Promise<RunHistory> {
  const database = given ?? join(workshop.folder, `${run.runId}.db`);
  const trail = join(workshop.folder, `${run.runId}.trail`);
  for (let kills = 0; kills < MOST_LIVES; kills += 1) {
    const next = deaths.next();
    const death: Death = next.done === true ? { kind: "none" } : next.value;
    const { wasKilled, result, droveMs } = await liveAndDie(
      workshop.program,
      { ...run, database, trail },
      death,
    );
    if (wasKilled) continue;
    if (result === undefined) throw new Error(`Run ${run.runId} ended without a result.`);
    const evidence = await gatherEvidence(database, run.runId, trail);
    for (const each of evidence) checkHistory(each);
    return { result, evidence, kills, droveMs };
  }
  throw new Error(`Run ${run.runId} was not finished by ${MOST_LIVES} processes.`);
}

/** Same runs, same rows, same result, same final states as those of an undisturbed run. */
export function expectSameOutcome(disturbed: RunHistory, undisturbed: RunHistory): void {
  const { runId: _a, ...result } = disturbed.result;
  const { runId: _b, ...expected } = undisturbed.result;
  expect(result).toEqual(expected);
  expect(disturbed.evidence.map(outcomeOf)).toEqual(undisturbed.evidence.map(outcomeOf));
}

/** What a run has come to, whatever happened on the way. */
export function outcomeOf({ run, outputs, nodes, scores }: Evidence) {
  return {
    status: run.status,
    outputs,
    states: nodes.map(({ nodeId, iteration, state }) => `${nodeId}::${iteration} ${state}`).sort(),
    // Which outputs the slow one is for depends on run and attempt.
    scores: scores
      .filter(({ scorerId }) => scorerId !== "slow")
      .map((row) => `${row.scorerId} ${row.nodeId}::${row.iteration} ${row.state} ${row.score}`)
      .sort(),
  };
}
