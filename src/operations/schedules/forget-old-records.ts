import type { Store } from "../../store/index.js";

const DAY_MS = 86_400_000;

/** How long a database remembers what schedules and webhooks have done, milliseconds. */
const REMEMBERED_MS = 90 * DAY_MS;

/** How long the bodies of deliveries are kept, for a replay, milliseconds. */
const BODIES_KEPT_MS = 7 * DAY_MS;

/** Forgets occurrences and deliveries that are old and over. Runs are kept or pruned apart from them. */
export async function forgetOldRecords(store: Store, nowMs: number): Promise<void> {
  await store.schedules.prune(nowMs - REMEMBERED_MS);
  await store.deliveries.prune(nowMs - REMEMBERED_MS);
  await store.deliveries.forgetBodies(nowMs - BODIES_KEPT_MS);
}
