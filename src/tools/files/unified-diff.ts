import { ServiceError } from "../../errors/service-error.js";

/**
 * `source` after all hunks of the patch.
 * @throws ServiceError TOOL_PATCH_FAILED naming the first hunk that does not fit
 */
export async function applyUnifiedDiff(source: string, patch: string, shown: string): Promise<string> {
  const { applyPatch, parsePatch } = await import("diff");
  const failed = (problem: string, details: Record<string, unknown> = {}) =>
    new ServiceError("TOOL_PATCH_FAILED", `The patch for "${shown}" cannot be applied: ${problem}.`, {
      details: { path: shown, ...details },
    });

  let files: ReturnType<typeof parsePatch>;
  try {
    files = parsePatch(patch);
  } catch (error) {
    throw failed(`it is not a unified diff (${(error as Error).message})`);
  }
  const changed = files.filter(({ hunks }) => hunks.length > 0);
  const [file] = changed;
  if (file === undefined) throw failed("it has no hunks");
  if (changed.length > 1) throw failed(`it changes ${changed.length} files, and an edit changes one`);

  const result = applyPatch(source, file);
  if (result !== false) return result;
  // The library says only that something failed: the first prefix of hunks that fails ends with the culprit.
  const culprit = file.hunks.findIndex(
    (_, index) => applyPatch(source, { ...file, hunks: file.hunks.slice(0, index + 1) }) === false,
  );
  const hunk = file.hunks[culprit];
  if (hunk === undefined) throw failed("its hunks do not fit the file");
  const header = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
  throw failed(`hunk ${culprit + 1} of ${file.hunks.length} (${header}) does not match the file`, {
    hunk: culprit + 1,
    hunks: file.hunks.length,
    header,
    line: hunk.oldStart,
  });
}
