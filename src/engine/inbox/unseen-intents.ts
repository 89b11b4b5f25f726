import type { SchedulerIntent } from "../../scheduler/index.js";
import { readGivenRow } from "./given-rows.js";
import { toSchedulerIntent } from "./inbox-intent.js";
import type { RunSession } from "../session/session.js";

/** New intents of the run's inbox, as the scheduler understands them. */
export async function unseenIntents(session: RunSession): Promise<SchedulerIntent[]> {
  const fresh: SchedulerIntent[] = [];
  for (const row of await session.services.store.pendingIntents(session.runId)) {
    if (session.seenIntents.has(row.id)) continue;
    const intent = toSchedulerIntent(row);
    await readGivenRow(session, intent);
    fresh.push(intent);
  }
  return fresh;
}
