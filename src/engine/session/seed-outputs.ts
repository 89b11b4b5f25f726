import { ServiceError } from "../../errors/service-error.js";
import { type NodeRow, UNTRIED } from "../../model/node.js";
import { isRecord } from "../../util/is-record.js";
import { toStoredRow } from "../attempt/task-row.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices } from "../ports.js";
import type { CommitBuilder } from "../turn/commit.js";

/** Rows that a run counts as finished already. */
export interface SeededRows {
  nodes: NodeRow[];
  outputs: RunSnapshot["outputs"];
  writes: CommitBuilder["outputs"];
}

/**
 * The nodes and rows that a new run counts as finished already.
 * @throws INVALID_INPUT, INVALID_OUTPUT, UNKNOWN_OUTPUT_SCHEMA
 */
export async function seedOutputs(
  services: EngineServices,
  request: { runId: string; initialOutputs: Record<string, Record<string, unknown>[]> },
): Promise<SeededRows> {
  const nodes: NodeRow[] = [];
  const outputs: RunSnapshot["outputs"] = [];
  const writes: CommitBuilder["outputs"] = [];
  const now = services.clock.now();
  const tables = Object.entries(request.initialOutputs);
  for (const [outputKey, rows] of tables) {
    if (!Array.isArray(rows)) throw refused(outputKey, "is no array of rows");
  }
  const total = tables.reduce((sum, [, rows]) => sum + rows.length, 0);
  for (const [outputKey, rows] of tables) {
    for (const given of rows) {
      const { nodeId, iteration } = addressOf(given, outputKey);
      const codec = services.store.codec(outputKey);
      const task = { nodeId, iteration, outputKey, outputSchema: codec.schema };
      const stored = await toStoredRow(services.store, task, { value: given, runId: request.runId });
      outputs.push({ outputKey, row: stored.row });
      writes.push({ outputKey, nodeId, iteration, columns: stored.columns });
      nodes.push({
        ...UNTRIED,
        nodeId,
        iteration,
        state: "finished",
        lastAttempt: 0,
        kind: null,
        outputKey,
        loopId: null,
        label: null,
        fingerprint: "",
        updatedAtMs: now,
        // Before every row the run itself will finish.
        finishedSeq: nodes.length - total,
      });
    }
  }
  return { nodes, outputs, writes };
}

function addressOf(given: Record<string, unknown>, outputKey: string): { nodeId: string; iteration: number } {
  if (!isRecord(given)) throw refused(outputKey, "has a row that is no object");
  const { nodeId, iteration = 0 } = given;
  if (typeof nodeId !== "string" || nodeId === "") throw refused(outputKey, "has a row without a nodeId");
  if (typeof iteration !== "number" || !Number.isSafeInteger(iteration) || iteration < 0) {
    throw refused(outputKey, `has a row of ${nodeId} whose iteration is no integer of at least 0`);
  }
  return { nodeId, iteration };
}

function refused(outputKey: string, why: string): ServiceError {
  return new ServiceError("INVALID_INPUT", `The option initialOutputs.${outputKey} ${why}.`, {
    details: { option: `initialOutputs.${outputKey}` },
  });
}
