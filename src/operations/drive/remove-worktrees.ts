import { resolve } from "node:path";
import type { Store } from "../../store/index.js";
import { Worktrees } from "../../vcs/worktrees.js";

/**
 * Clears away the worktrees that a finished run created. One with changes, or
 * with commits that are neither on its base nor on a remote, stays.
 */
export async function removeWorktrees(store: Store, runId: string): Promise<void> {
  const created = await store.listEvents(runId, { types: ["WorktreeCreated"], limit: 10_000 });
  if (created.length === 0) return;
  const run = await store.getRun(runId);
  const worktrees = new Worktrees();
  for (const { event } of created) {
    if (event.type !== "WorktreeCreated") continue;
    const { path, baseBranch } = event;
    await worktrees.remove(resolve(run?.config.rootDir ?? "."), { path, baseBranch });
  }
}
