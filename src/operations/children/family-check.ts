import { isTerminal, type RunRow } from "../../model/run.js";
import { newestOfChain, type Store } from "../../store/index.js";

/** The state of the runs above a run: no parent, parents that have all ended, or one that continues. */
type Above = "nothing" | "ended" | "continues";

/**
 * Says of ended runs whether no run needs them any more: every run above them
 * has ended before the time, and so has the newest run of their own chain. A
 * parent that continues finds its child's end by the first run of the child's
 * chain; without it, it would start the child from the beginning. A chain
 * without a parent is not looked up by any run.
 */
export function createFamilyCheck(store: Store, beforeMs: number): (run: RunRow) => Promise<boolean> {
  const known = new Map<string, Above>();

  const hasEnded = (run: RunRow | undefined) =>
    run === undefined || (isTerminal(run.status) && (run.finishedAtMs ?? 0) < beforeMs);

  /** Without recursion: chains can be long. */
  async function above(run: RunRow): Promise<Above> {
    const path = [run];
    let found = known.get(run.runId);
    for (let at = run; found === undefined; ) {
      const parent = at.parentRunId === null ? undefined : await store.getRun(at.parentRunId);
      if (parent === undefined) {
        found = "nothing";
        known.set(at.runId, found);
        break;
      }
      path.push(parent);
      found = known.get(parent.runId);
      at = parent;
    }
    for (let index = path.length - 2; index >= 0; index -= 1) {
      const [child, parent] = [path[index] as RunRow, path[index + 1] as RunRow];
      const isItsChild = parent.nextRunId !== child.runId;
      if (isItsChild && found !== "continues") found = hasEnded(parent) ? "ended" : "continues";
      known.set(child.runId, found);
    }
    return found;
  }

  return async (run) => {
    switch (await above(run)) {
      case "nothing":
        return true;
      case "ended":
        return hasEnded(await newestOfChain(store, run.runId));
      default:
        return false;
    }
  };
}
