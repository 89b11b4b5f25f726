import type { RunResult } from "../../model/run.js";
import type { RunConfig } from "../../model/run-config.js";
import type { NewRun } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { newRunSnapshot } from "../session/new-snapshot.js";
import { giveLease, openRun } from "../session/open-run.js";
import { newOwnerId } from "../../process/owner.js";
import { RunAtWork } from "../session/runs-at-work.js";
import { type SeededRows, seedOutputs } from "../session/seed-outputs.js";
import { writeGroupOf } from "../session/write-group.js";
import { declareLimits } from "../slots/declare-limits.js";
import { beforeDrive, drive, type DriveOptions, renderFirst } from "./drive.js";
import { recordStart } from "../turn/record-start.js";
import { followChain } from "./follow-chain.js";

export interface StartRequest extends Omit<DriveOptions, "workflow"> {
  runId: string;
  parentRunId: string | null;
  workflowPath: string | null;
  /** Validated. */
  input: Record<string, unknown>;
  config: RunConfig;
  initialOutputs?: Record<string, Record<string, unknown>[]>;
  /** The run is only made: the process that supervises the database drives it. @default false */
  isQueued?: boolean;
}

const NOTHING_SEEDED: SeededRows = { nodes: [], outputs: [], writes: [] };

/**
 * Starts a run and drives it until it ends or only waits.
 * @throws what the first render throws; nothing is written then. RUN_EXISTS
 */
export function startRun(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: StartRequest,
): Promise<RunResult> {
  // One that is only made is at work nowhere.
  if (request.isQueued === true) return start(services, workflow, { ...request, place: null });
  return writeGroupOf(services.store).during(async () => {
    const place = await RunAtWork.enter(request);
    return start(services, workflow, { ...request, place }).finally(() => place.leave());
  });
}

async function start(
  services: EngineServices,
  workflow: EngineWorkflow,
  { input, config, initialOutputs, place, ...request }: StartRequest & { place: RunAtWork | null },
): Promise<RunResult> {
  const { runId, parentRunId, workflowPath } = request;
  const about = { runId, parentRunId, workflowPath, input, config };
  await declareLimits(services, workflow.limits);
  const seeded =
    initialOutputs === undefined ? NOTHING_SEEDED : await seedOutputs(services, { runId, initialOutputs });
  const options: DriveOptions = { ...request, workflow };
  const runSnapshot = newRunSnapshot({ ...about, nowMs: services.clock.now() }, seeded);
  const session = openRun(services, runSnapshot, options);
  await renderFirst(session, options);
  const ownerId = place === null ? null : newOwnerId();
  const inCompany = place?.inCompany ?? false;
  const { workflowName, workflowHash } = session;
  const run: NewRun = {
    ...about,
    workflowName,
    workflowHash,
    ownerId,
    inCompany,
    nowMs: services.clock.now(),
    ...(workflow.loaded !== null && { loaded: workflow.loaded }),
    ...(seeded.nodes.length > 0 && {
      seed: { nodes: seeded.nodes, outputs: seeded.writes, controls: [], approvals: [], attempts: [] },
    }),
  };
  await beforeDrive(session, () => writeGroupOf(services.store).write({ type: "create", run }));
  services.crash?.("run-created");
  if (ownerId === null || place === null) {
    session.view.frames.dispose();
    return { runId, status: "running" };
  }
  const lease = { runId, ownerId, epoch: 1 };
  await place.hold(services.store, lease, inCompany);
  const leased = giveLease(session, lease);
  const outcome = await drive(leased, options, (commit) =>
    recordStart(leased, commit, { wasStarted: false }),
  );
  return followChain(services, { session: leased, outcome, place }, options);
}
