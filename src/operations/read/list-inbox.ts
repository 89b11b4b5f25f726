import { ServiceError } from "../../errors/service-error.js";
import { selectRuns } from "../bulk/select-runs.js";
import type { Blocker } from "../explain/blocker.js";
import { explainRun } from "../explain-run.js";
import { listRuns } from "../get-run.js";
import type { OperationTarget } from "../request/target.js";
import { type DamagedRun, damagedRun } from "./readable-rows.js";
import { OPEN_STATES } from "./shown-states.js";

/** A wait for a person in a run. */
export interface InboxItem extends Blocker {
  runId: string;
  workflowName: string;
}

export interface Inbox {
  /** Longest waiting first, at most as many as were asked for. */
  items: InboxItem[];
  /** How many there are. */
  total: number;
  /** Runs that cannot be read. Absent where all is well. */
  damaged?: DamagedRun[];
}

export interface InboxFilter {
  /** The name on `<Workflow>`. @default all */
  workflowName?: string | undefined;
  /** Items at most. @default 50 */
  limit?: number | undefined;
}

/** Waits that people end by a decision or a signal; all others end by themselves. */
const FOR_PEOPLE: readonly Blocker["kind"][] = ["approval", "event", "paused", "hijack"];
const DEFAULT_LIMIT = 50;

/** Waits for people, over all runs of the databases. */
export async function listInbox(
  targets: readonly OperationTarget[],
  { workflowName, limit = DEFAULT_LIMIT }: InboxFilter = {},
): Promise<Inbox> {
  const items: InboxItem[] = [];
  const damaged: DamagedRun[] = [];
  for (const target of targets) {
    const open = await selectRuns((filter) => listRuns(target, filter), {
      states: OPEN_STATES,
      workflow: workflowName,
    });
    damaged.push(...(open.damaged ?? []));
    for (const { runId, workflowName } of open.runs) {
      const blockers = await explainRun(target, runId).then(
        (explained) => explained.blockers,
        (error: unknown) => {
          if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
          damaged.push(damagedRun(runId, error));
          return [];
        },
      );
      for (const blocker of blockers) {
        // Blockers of its child runs stand beside them.
        const isOwn = blocker.runId === undefined;
        if (isOwn && FOR_PEOPLE.includes(blocker.kind)) items.push({ ...blocker, runId, workflowName });
      }
    }
  }
  items.sort((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0));
  return {
    items: items.slice(0, limit),
    total: items.length,
    ...(damaged.length > 0 && { damaged }),
  };
}
