import type { Store } from "../../store/index.js";
import type { CommitBuilder } from "../turn/commit.js";

/** Tasks of the next run may fork from agents that have finished before it: their last attempts know the sessions. */
export async function carrySessions(
  store: Pick<Store, "listAttempts">,
  runId: string,
  { newRuns }: Pick<CommitBuilder, "newRuns">,
): Promise<void> {
  for (const { seed } of newRuns) {
    for (const { nodeId, iteration, kind, state } of seed?.nodes ?? []) {
      if (kind !== "agent" || state !== "finished") continue;
      const attempts = await store.listAttempts(runId, nodeId, iteration);
      seed?.attempts.push(...attempts.filter((attempt) => attempt.state === "finished").slice(-1));
    }
  }
}
