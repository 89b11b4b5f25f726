import { type TaskKey, taskKey } from "../../model/address.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import type { RunOptions } from "../../model/run-options.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices } from "../ports.js";
import type { CommitBuilder } from "../turn/commit.js";
import { type SeededRows, seedOutputs } from "./seed-outputs.js";

/** A stored run with the rows that a resume brings along, and what of it is not stored yet. */
export interface SeededSnapshot {
  runSnapshot: RunSnapshot;
  writes: SeededRows["writes"];
}

/**
 * Counts nodes as finished with the rows that a resume was given. A node that is over by then stays as it is: a row that
 * the run has made itself is never replaced.
 * @throws INVALID_INPUT, INVALID_OUTPUT, UNKNOWN_OUTPUT_SCHEMA
 */
export async function seedResumed(
  services: EngineServices,
  runSnapshot: RunSnapshot,
  initialOutputs: NonNullable<RunOptions["initialOutputs"]>,
): Promise<SeededSnapshot> {
  const seeded = await seedOutputs(services, { runId: runSnapshot.run.runId, initialOutputs });
  const nodes = new Map<TaskKey, NodeRow>(runSnapshot.nodes.map((row) => [taskKey(row), row]));
  const isOver = (key: TaskKey) => isTerminalNode(nodes.get(key)?.state ?? "pending");
  const isTaken = seeded.nodes.map((row) => !isOver(taskKey(row)));
  const taken = <T>(all: readonly T[]): T[] => all.filter((_, at) => isTaken[at]);
  let finishedSeq = runSnapshot.nodes.reduce((last, row) => Math.max(last, row.finishedSeq ?? -1), -1);
  const keys = new Set<TaskKey>();
  for (const row of taken(seeded.nodes)) {
    finishedSeq += 1;
    const key = taskKey(row);
    keys.add(key);
    nodes.set(key, finished(nodes.get(key) ?? row, { ...row, finishedSeq }));
  }
  return {
    runSnapshot: {
      ...runSnapshot,
      nodes: [...nodes.values()],
      outputs: [...runSnapshot.outputs, ...taken(seeded.outputs)],
      approvals: runSnapshot.approvals.map((row) =>
        keys.has(taskKey(row)) && row.decision === null ? { ...row, status: "withdrawn" } : row,
      ),
    },
    writes: taken(seeded.writes),
  };
}

function finished(before: NodeRow, { state, outputKey, finishedSeq, updatedAtMs }: NodeRow): NodeRow {
  const waitsForNothing = { dueAtMs: null, waitingSinceMs: null, wait: null };
  return { ...before, ...waitsForNothing, state, outputKey, finishedSeq, updatedAtMs, error: null };
}

/** Adds the rows to the resume's first commit, after what ends the attempts of the last owner. */
export function recordSeeded(commit: CommitBuilder, { runSnapshot, writes }: SeededSnapshot): void {
  const asked = new Map(runSnapshot.approvals.map((row) => [taskKey(row), row]));
  const nodes = new Map(runSnapshot.nodes.map((row) => [taskKey(row), row]));
  for (const write of writes) {
    const { nodeId, iteration } = write;
    const key = taskKey(write);
    commit.outputs.push(write);
    const request = asked.get(key);
    if (request?.status === "withdrawn") commit.add([{ type: "approval", row: request }]);
    commit.add([{ type: "node", key }]);
    commit.event({ type: "NodeFinished", nodeId, iteration, attempt: nodes.get(key)?.lastAttempt ?? 0 });
  }
}
