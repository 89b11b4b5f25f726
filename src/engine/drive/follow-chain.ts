import type { RunResult } from "../../model/run.js";
import type { EngineServices } from "../ports.js";
import { toRunResult } from "../result.js";
import type { Outcome } from "../run-loop.js";
import { withLease } from "../session/lease.js";
import { giveLease, openRun } from "../session/open-run.js";
import type { RunAtWork } from "../session/runs-at-work.js";
import type { RunSession } from "../session/session.js";
import { drive, type DriveOptions, renderFirst } from "./drive.js";
import { recordStart } from "../turn/record-start.js";
import { turnOfLoop } from "../../util/own-timers.js";

/** Drives the runs that continue this one, or says how it ended. */
export async function followChain(
  services: EngineServices,
  run: { session: RunSession; outcome: Outcome; place: RunAtWork },
  options: DriveOptions,
): Promise<RunResult> {
  let { session, outcome } = run;
  while (outcome.kind === "continued" && options.followContinuation && session.nextRunId !== null) {
    const runSnapshot = await services.store.loadRun(session.nextRunId);
    if (runSnapshot === undefined) break;
    // Runs that do nothing but continue would let no timer, signal or heartbeat come through.
    await turnOfLoop();
    const { runId, epoch } = runSnapshot.run;
    const next = openRun(services, runSnapshot, { ...options, workflow: session.view.workflow });
    const lease = { runId, ownerId: session.ownerId, epoch };
    await withLease({ store: services.store, lease }, () => renderFirst(next, options));
    await run.place.hold(services.store, lease, false);
    session = giveLease(next, lease);
    const current = session;
    outcome = await drive(current, options, (commit) => recordStart(current, commit, { wasStarted: false }));
  }
  return toRunResult(session, outcome);
}
