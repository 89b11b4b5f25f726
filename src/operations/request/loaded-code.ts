import { changeRefused } from "../../engine/index.js";
import { compareLoaded, type LoadedFile } from "../../model/loaded-file.js";
import type { Store } from "../../store/index.js";

/** Throws for code that must not run. */
export type CodeCheck = (loaded: readonly LoadedFile[]) => void;

/**
 * The check of a loader before the code of a run's workflow runs for the first time in this process: a resume compares
 * as well, but by then code outside of functions has run.
 * @param run its code was written down when it started; a child run has that of its root
 * @returns a check that throws RESUME_METADATA_MISMATCH
 */
export async function codeCheck(
  store: Store,
  { runId }: { runId: string },
  { acceptWorkflowChange = false }: { acceptWorkflowChange?: boolean } = {},
): Promise<CodeCheck> {
  const before = acceptWorkflowChange ? null : await store.getLoadedFiles(runId);
  return (loaded) => {
    const files = compareLoaded(before, loaded);
    if (files.length > 0) throw changeRefused(runId, { tasks: [], files });
  };
}
