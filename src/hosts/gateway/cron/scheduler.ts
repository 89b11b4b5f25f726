import { ensureError } from "../../../errors/ensure-error.js";
import { declareSchedule, fireSchedules, forgetOldRecords } from "../../../operations/index.js";
import { onOutsideChange, type Store } from "../../../store/index.js";
import { pause } from "../../../util/pause.js";
import type { GatewayParts } from "../gateway-parts.js";
import type { Registered } from "../registered-workflow.js";
import { startScheduled } from "./start-scheduled.js";

export interface Schedules {
  close(): Promise<void>;
}

/** How often schedules are looked at, milliseconds: the clock may have been set. */
const SHORTEST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 15_000;
/** Other processes' changes and requests are found at the latest after this time, milliseconds. */
const FEED_MS = 1_000;

/** How often what is old is forgotten, milliseconds. */
const CLEAN_UP_MS = 3_600_000;

/**
 * Starts runs when their schedules say so. Resolves once the schedules are what the code says and have been
 * looked at for the first time; whatever goes wrong keeps no gateway from listening.
 */
export async function startSchedules(parts: GatewayParts): Promise<Schedules> {
  const report = reportOnce(parts);
  for (const registered of parts.workspace.workflows()) await declare(parts, registered).catch(report);
  // A file that was broken at the start has its schedule once it is mended.
  const forget = parts.workspace.onPut(({ key }) => {
    const registered = parts.workspace.workflows().find((each) => each.key === key);
    if (registered?.options.schedule === undefined) return;
    void declare(parts, registered).then(() => parts.schedulesChanged.nudge(), report);
  });
  const first = await lookAtAll(parts, report);
  const ended = keepLooking(parts, { dueAtMs: first, report }).finally(forget);
  return { close: () => ended };
}

async function declare({ workspace }: GatewayParts, { key, db, options }: Registered): Promise<void> {
  const pattern = options.schedule;
  const declared = { workflowKey: key, ...(pattern !== undefined && { pattern }) };
  await declareSchedule(db, declared, { clock: workspace.clockOf(db.store) });
}

async function keepLooking(
  parts: GatewayParts,
  { dueAtMs: first, report }: { dueAtMs: number; report: (error: unknown) => void },
): Promise<void> {
  const { signal, options, workspace } = parts;
  const { clock } = workspace;
  const lookMs = Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, options.heartbeatMs));
  const forgets = workspace
    .databases()
    .map(({ store }) =>
      onOutsideChange(store, { clock, everyMs: FEED_MS, only: "change" }, () =>
        parts.schedulesChanged.nudge(),
      ),
    );
  let dueAtMs = first;
  let cleanedAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const nowMs = clock.now();
    if (Math.abs(nowMs - cleanedAtMs) >= CLEAN_UP_MS) {
      for (const { store } of workspace.databases()) {
        await forgetOldRecords(store, workspace.clockOf(store).now()).catch(report);
      }
      cleanedAtMs = nowMs;
    }
    await pause(clock, Math.max(1, Math.min(lookMs, dueAtMs - clock.now())), {
      signal,
      nudge: parts.schedulesChanged,
    });
    if (!signal.aborted) dueAtMs = await lookAtAll(parts, report);
  }
  for (const forget of forgets) forget();
}

/** When something is due next, by the gateway's clock; infinity for nothing. */
async function lookAtAll(parts: GatewayParts, report: (error: unknown) => void): Promise<number> {
  const { workspace } = parts;
  const start = startScheduled(parts);
  const look = async (store: Store): Promise<number> => {
    try {
      const here = workspace.workflowsOf(store);
      const knows = (key: string) => here.some((registered) => registered.key === key);
      const clock = workspace.clockOf(store);
      const dueAtMs = await fireSchedules(store, { clock, knows, start, onError: report });
      return dueAtMs === null ? Number.POSITIVE_INFINITY : dueAtMs - clock.now() + workspace.clock.now();
    } catch (error) {
      report(error);
      return Number.POSITIVE_INFINITY;
    }
  };
  return Math.min(...(await Promise.all(workspace.databases().map(({ store }) => look(store)))));
}

/** An error that repeats at every look is reported once. */
function reportOnce({ onFailure }: GatewayParts): (error: unknown) => void {
  const reported = new Set<string>();
  return (thrown) => {
    const error = ensureError(thrown);
    if (reported.has(error.message)) return;
    if (reported.size >= 100) reported.clear();
    reported.add(error.message);
    onFailure(error);
  };
}
