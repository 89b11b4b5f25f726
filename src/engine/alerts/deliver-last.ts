import { ServiceError } from "../../errors/service-error.js";
import type { AlertHandler, FiredAlert } from "../../model/alert.js";
import type { CommitBuilder } from "../turn/commit.js";
import type { EngineServices } from "../ports.js";
import { publish } from "../session/publish.js";
import type { AlertWatch } from "./alert-watch.js";
import { deliverAlert } from "./deliver.js";
import { recordDelivery } from "./record-delivery.js";

/** Delivers the alerts about the end of a run that no process drives, and lets the run go. */
export async function deliverLast(
  { store, clock, watch }: EngineServices,
  fired: readonly FiredAlert[],
  run: {
    runId: string;
    handlers: Readonly<Record<string, AlertHandler>>;
    policy: AlertWatch;
    beginCommit(): CommitBuilder;
  },
): Promise<void> {
  const { handlers, policy, runId } = run;
  const arrivals = await Promise.all(
    fired.map(async (each) => [each, await deliverAlert(each, { handlers, clock, policy })] as const),
  );
  const commit = run.beginCommit();
  for (const [each, outcome] of arrivals) recordDelivery(commit, each, outcome);
  commit.run.release = true;
  try {
    await store.commit(commit.build());
    publish({ runId, events: commit.events, watch });
  } catch (error) {
    // Another process has resumed the run meanwhile, and owns it.
    if (!ServiceError.is(error, "RUN_RESUME_CLAIM_LOST")) throw error;
  }
}
