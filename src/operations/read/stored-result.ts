import { outputOf, RESULT_KEY, summaryFields } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, type RunResult, type RunRow } from "../../model/run.js";
import type { OutputRow } from "../../model/schema.js";
import type { Store } from "../../store/index.js";

/** The result of a run as its rows tell it: the same as the call that drove it returned. */
export async function storedResult(store: Store, run: RunRow): Promise<RunResult> {
  const result: RunResult = { runId: run.runId, status: run.status };
  if (!isTerminal(run.status)) return result;
  if (run.error !== null) result.error = run.error;
  if (run.nextRunId !== null) result.nextRunId = run.nextRunId;
  return { ...result, ...outputOf(await resultRows(store, run.runId)), ...summaryFields(run.summary) };
}

async function resultRows(store: Store, runId: string): Promise<readonly OutputRow[]> {
  try {
    return await store.listOutputs(runId, RESULT_KEY);
  } catch (error) {
    // The workflow has no schema of that key.
    if (ServiceError.is(error, "UNKNOWN_OUTPUT_SCHEMA")) return [];
    throw error;
  }
}
