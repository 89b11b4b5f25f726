import type { BrokenWorkflow } from "../../client/gateway-descriptions.js";
import { serializeError } from "../../errors/ensure-error.js";
import { isModuleOnly } from "../../loader/load-workflow.js";

/** A line of code, or the sign below it, as the loader's errors show them. */
const CODE_LINE = /^>?\s*\d*\s*\|/;
/** Characters of an error, and of its lines of code. */
const LONGEST = 1_000;
const LONGEST_FRAME = 4_000;

export interface BrokenFile {
  key: string;
  /** As it is shown. */
  file: string;
  thrown: unknown;
  /** Its folder is watched by `treadle dev`: who develops sees the code. */
  isWatched: boolean;
}

/** A file that gives no workflow, as clients see it. */
export function brokenWorkflow({ key, file, thrown, isWatched }: BrokenFile): BrokenWorkflow {
  const { code = "WORKFLOW_LOAD_FAILED", message, summary = message } = serializeError(thrown);
  const lines = summary.split("\n").filter((line) => line.trim() !== "");
  const words = lines.filter((line) => !CODE_LINE.test(line)).join(" ");
  const frame = lines.filter((line) => CODE_LINE.test(line)).join("\n");
  return {
    key,
    file,
    error: {
      code,
      summary: words.slice(0, LONGEST),
      frame: isWatched && frame !== "" ? frame.slice(0, LONGEST_FRAME) : null,
    },
    isModule: isModuleOnly(thrown),
    isWatched,
  };
}
