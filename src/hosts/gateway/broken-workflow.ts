import type { BrokenWorkflow } from "../../client/gateway-methods.js";
import { serializeError } from "../../errors/ensure-error.js";

/** A line of code, or the sign below it, as the loader's errors show them. */
const CODE_LINE = /^>?\s*\d*\s*\|/;
/** Characters of an error. */
const LONGEST = 1_000;

/** A file that gives no workflow, as clients see it: not the lines of code that an error may show. */
export function brokenWorkflow(key: string, file: string, thrown: unknown): BrokenWorkflow {
  const { code = "WORKFLOW_LOAD_FAILED", message, summary = message } = serializeError(thrown);
  const words = summary.split("\n").filter((line) => line.trim() !== "" && !CODE_LINE.test(line));
  return { key, file, error: { code, summary: words.join(" ").slice(0, LONGEST) } };
}
