import type { BrokenWorkflow } from "../../client/gateway-methods.js";
import { serializeError } from "../../errors/ensure-error.js";

/** A file that gives no workflow, as clients see it: not the lines of code that an error may show. */
export function brokenWorkflow(key: string, file: string, thrown: unknown): BrokenWorkflow {
  const { code = "WORKFLOW_LOAD_FAILED", message, summary = message } = serializeError(thrown);
  const [firstLine = ""] = summary.split("\n");
  return { key, file, error: { code, summary: firstLine } };
}
