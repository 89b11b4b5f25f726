import type { RunRow, RunStatus } from "../../model/run.js";
import { stableJson } from "../../util/stable-json.js";
import { ServiceError } from "../../errors/service-error.js";
import { type OperationTarget, storeOf } from "../request/target.js";

/** What runs were started with, to start another one. */
export interface PreviousInput {
  input: Record<string, unknown>;
  /** The newest run that was started with it. */
  runId: string;
  status: RunStatus;
  /** When that was asked for, epoch milliseconds. */
  createdAtMs: number;
}

export interface PreviousInputsRequest {
  /** The name on `<Workflow>`. @default it depends on the input */
  workflowName?: string;
  /** Whether a run is of the workflow that is meant: others may have its name. */
  isMeant(run: RunRow): boolean;
  /** Inputs at most. */
  limit: number;
}

/** Newest runs that are looked at. */
const LOOKED_AT = 200;
/** A larger input is no choice of a list. */
const MOST_BYTES = 64 * 1024;

/** The inputs of the newest runs, each once, newest first; those of child runs and of more than 64 KiB are left out. */
export async function previousInputs(
  target: OperationTarget,
  { workflowName, isMeant, limit }: PreviousInputsRequest,
): Promise<PreviousInput[]> {
  const store = await storeOf(target);
  const runs = await store.listRuns({
    limit: LOOKED_AT,
    ...(workflowName !== undefined && { workflowName }),
  });
  const found = new Map<string, PreviousInput>();
  for (const run of runs) {
    if (found.size >= limit) break;
    if (run.parentRunId !== null || !isMeant(run)) continue;
    const { runId, status, createdAtMs } = run;
    const input = await readInput(() => store.getInput(runId));
    if (input === undefined) continue;
    const text = stableJson(input);
    if (Buffer.byteLength(text) > MOST_BYTES || found.has(text)) continue;
    found.set(text, { input, runId, status, createdAtMs });
  }
  return [...found.values()];
}

/** A damaged row does not hide the others. */
async function readInput<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
    return undefined;
  }
}
