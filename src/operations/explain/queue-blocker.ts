import type { RunRow } from "../../model/run.js";
import { isQueued } from "../read/run-state.js";
import type { Store } from "../../store/index.js";
import type { Blocker } from "./blocker.js";
import { takenUpBy } from "./worker-blockers.js";

/** Runs before it that are counted. */
const MOST_COUNTED = 500;

export async function queueBlocker(store: Store, run: RunRow): Promise<Blocker> {
  const earlier = await store.listRuns({
    statuses: ["running"],
    createdBeforeMs: run.createdAtMs,
    limit: MOST_COUNTED,
  });
  const ahead = earlier.filter(isQueued).length;
  const others = ahead === 0 ? "It is the next." : `${ahead} run(s) come first.`;
  return {
    kind: "queued",
    sinceMs: run.createdAtMs,
    ahead,
    summary: `The run has not begun: it begins by itself once its host drives fewer runs than its maxActiveRuns. ${others}${await takenUpBy(store, run)}`,
    remedy: null,
  };
}
