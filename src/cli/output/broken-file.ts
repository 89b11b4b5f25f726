import { isModuleOnly } from "../../loader/load-workflow.js";
import type { Colors } from "./styles.js";
import { toServiceError } from "./error-report.js";
import { visibleText } from "./visible-text.js";

/**
 * Why a file in the folder of workflows gives none: a note with its code and lines. One that others import is only named.
 * @param mark stands before what is wrong
 */
export function brokenFile(thrown: unknown, mark: string, colors: Colors): string {
  const { code, summary, details } = toServiceError(thrown);
  if (isModuleOnly(thrown))
    return colors.dim(`  ${visibleText(String(details?.["path"]))}: no workflow in it`);
  return `${mark} ${visibleText(`${code} ${summary.trimEnd()}`).replaceAll("\n", "\n  ")}`;
}
