import type { WorkflowContext } from "../../model/context.js";
import type { OutputRow } from "../../model/schema.js";
import type { RunAuthContext } from "../../model/run-auth.js";

/** The run as a build function outside of this process sees it: JSON. */
export interface SerializedContext {
  runId: string;
  iteration: number;
  /** Iteration of each loop by its id, from 0. */
  iterations: Record<string, number | undefined>;
  /** The run's input as given. */
  input: Readonly<Record<string, unknown>>;
  /** The user who started the run; null when none was given. */
  auth: RunAuthContext | null;
  /** `config` of the run's options; `{}` without. */
  config: Readonly<Record<string, unknown>>;
  /** The `state` of the run that this one continues. */
  continuation: unknown;
  /** Rows by schema key, in order of completion, each with its address. */
  outputs: Record<string, (Record<string, unknown> & { nodeId: string; iteration: number })[]>;
}

export function serializeContext(ctx: WorkflowContext): SerializedContext {
  const outputs: SerializedContext["outputs"] = {};
  for (const key of Object.keys(ctx.outputs)) outputs[key] = ctx.outputs(key).map(withAddress);
  return {
    runId: ctx.runId,
    iteration: ctx.iteration,
    iterations: { ...ctx.iterations },
    input: ctx.input,
    auth: ctx.auth,
    config: ctx.config,
    continuation: ctx.continuation,
    outputs,
  };
}

/** The address of a row is not enumerable, so JSON would lose it. */
function withAddress(row: OutputRow): Record<string, unknown> & { nodeId: string; iteration: number } {
  return { ...row, nodeId: row.nodeId, iteration: row.iteration };
}
