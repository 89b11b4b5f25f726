import { runRoot } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import { removeSandboxes } from "../../sandbox/sandbox-folder.js";
import { forgetStates } from "../../vcs/forget-states.js";

/** Of runs that were deleted: what their sandboxes have left in their folders, and what keeps recorded files in their repositories. */
export async function removeLeft(runs: readonly Pick<RunRow, "runId" | "config">[]): Promise<void> {
  const byRoot = new Map<string, string[]>();
  for (const { runId, config } of runs) {
    const root = runRoot(config);
    await removeSandboxes(root, runId);
    byRoot.set(root, [...(byRoot.get(root) ?? []), runId]);
  }
  for (const [root, runIds] of byRoot) await forgetStates(root, runIds);
}
