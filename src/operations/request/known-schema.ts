import type { ZodObject } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { NodeRow } from "../../model/node.js";
import type { Store } from "../../store/index.js";

export interface SchemaCheckOptions {
  /**
   * Refuses what cannot be checked because the target does not have the schema of the run's
   * workflow. Otherwise whoever drives the run checks it, when it is taken up.
   * @default false
   */
  mustCheck?: boolean;
}

/**
 * The schema that an answer or a signal's data has to fit; undefined where only
 * the owner of the run has it, who then decides.
 * @throws UNKNOWN_OUTPUT_SCHEMA for the same where the check must be made here
 */
export async function knownSchema(
  store: Store,
  {
    runId,
    node: { nodeId, outputKey },
    mustCheck = false,
  }: { runId: string; node: NodeRow } & SchemaCheckOptions,
): Promise<ZodObject | undefined> {
  const schema = await store.schemaFor(runId, outputKey);
  if (schema !== undefined || !mustCheck) return schema;
  throw new ServiceError(
    "UNKNOWN_OUTPUT_SCHEMA",
    `The schema of output "${outputKey}", which ${nodeId} waits for, is not known here; the workflow of run ${runId} has it.`,
    { details: { runId, nodeId, outputKey } },
  );
}
