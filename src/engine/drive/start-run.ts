import type { RunResult } from "../../model/run.js";
import type { RunConfig } from "../../model/run-config.js";
import type { NewRun } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { newRunSnapshot } from "../session/new-snapshot.js";
import { giveLease, openRun } from "../session/open-run.js";
import { newOwnerId } from "../session/owner.js";
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
  /** The run is only made: whoever supervises the database drives it. @default false */
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
  return writeGroupOf(services.store).during(() => start(services, workflow, request));
}

async function start(
  services: EngineServices,
  workflow: EngineWorkflow,
  { input, config, initialOutputs, isQueued = false, ...request }: StartRequest,
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
  const ownerId = isQueued ? null : newOwnerId();
  const { workflowName, workflowHash } = session;
  const run: NewRun = {
    ...about,
    workflowName,
    workflowHash,
    ownerId,
    nowMs: services.clock.now(),
    ...(workflow.loaded !== null && { loaded: workflow.loaded }),
    ...(seeded.nodes.length > 0 && {
      seed: { nodes: seeded.nodes, outputs: seeded.writes, controls: [], approvals: [], attempts: [] },
    }),
  };
  await beforeDrive(session, () => writeGroupOf(services.store).write({ type: "create", run }));
  services.crash?.("run-created");
  if (ownerId === null) {
    session.view.frames.dispose();
    return { runId, status: "running" };
  }
  const leased = giveLease(session, { runId, ownerId, epoch: 1 });
  const outcome = await drive(leased, options, (commit) =>
    recordStart(leased, commit, { wasStarted: false }),
  );
  return followChain(services, { session: leased, outcome }, options);
}
