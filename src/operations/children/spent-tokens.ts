import { taskKey } from "../../model/address.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** Tokens that a run, the runs that continue it and the child runs of all of them have spent. */
export async function spentTokens(store: Store, runId: string): Promise<number> {
  let total = 0;
  let run: RunRow | undefined = await store.getRun(runId);
  while (run !== undefined) {
    for (const { inputTokens, outputTokens } of await store.listUsage(run.runId)) {
      total += inputTokens + outputTokens;
    }
    total += await childTokens(store, run.runId);
    run = run.nextRunId === null ? undefined : await store.getRun(run.nextRunId);
  }
  return total;
}

/** Children may be in databases of their own; what they had spent is kept with the attempts of their nodes. */
async function childTokens(store: Store, runId: string): Promise<number> {
  const newest = new Map<string, number>();
  for (const { nodeId, iteration, meta } of await store.listAttempts(runId)) {
    if (meta?.childTokens === undefined) continue;
    const key = taskKey({ nodeId, iteration });
    newest.set(key, Math.max(newest.get(key) ?? 0, meta.childTokens));
  }
  let total = 0;
  for (const tokens of newest.values()) total += tokens;
  return total;
}
