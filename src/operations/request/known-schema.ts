import { z } from "zod";
import type { NodeRow } from "../../model/node.js";
import type { Store } from "../../store/index.js";

/** Of a schema, what is needed to say whether a value fits. */
export type AnswerCheck = Pick<z.ZodType, "safeParseAsync">;

/**
 * The schema of an answer, or of a signal's data: the schema itself where the target has it, else the JSON Schema that was written
 * down of it when the node began to wait. Undefined where neither is there: the process that drives the run then decides, as
 * they do of what only functions of the schema know.
 */
export async function knownSchema(
  store: Store,
  { runId, node }: { runId: string; node: NodeRow },
): Promise<AnswerCheck | undefined> {
  const { nodeId, iteration, outputKey } = node;
  const schema = await store.schemaFor(runId, outputKey);
  return schema ?? describedSchema(await store.getAnswerSchema(runId, nodeId, iteration));
}

/** What of a value does not fit, each with its path; empty where it fits, or no schema is known. */
export async function misfits(
  schema: AnswerCheck | undefined,
  value: unknown,
  whole: string,
): Promise<string[]> {
  const parsed = await schema?.safeParseAsync(value);
  if (parsed === undefined || parsed.success) return [];
  return parsed.error.issues.map((issue) => `${issue.path.join(".") || whole}: ${issue.message}`);
}

/** The check that a JSON Schema describes; undefined without one, and where zod cannot read it. */
export function describedSchema(json: unknown): AnswerCheck | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  try {
    return z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema);
  } catch {
    return undefined;
  }
}
