import { ServiceError } from "../../errors/service-error.js";
import { taskKey, type TaskPlace } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { TaskDescriptor } from "../../model/task.js";
import { drawn } from "../../renderer/frame-waits.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices, EngineWorkflow, MountedRun } from "../ports.js";
import { openRun } from "../session/open-run.js";
import type { RunSession } from "../session/session.js";
import { render } from "../turn/render-pending.js";
import { mountedRun } from "./mounted-run.js";

/** A run that another process drives, as its rows say. */
export interface StoredMount {
  readonly run: MountedRun;
  /** Ends the frame's effects. */
  close(): void;
}

/**
 * Renders the frame of a stored run to execute its attempts here. Nothing is decided and nothing written.
 * @throws what the render throws
 */
export async function mountStored(
  services: EngineServices,
  workflow: EngineWorkflow,
  runSnapshot: RunSnapshot,
): Promise<StoredMount> {
  const session = openRun(services, runSnapshot, { workflow, followContinuation: false });
  const close = () => {
    session.view.frames.dispose();
    session.mailbox.close();
  };
  try {
    const frame = await drawn(() => render(session.view));
    // Never written by: it has no lease.
    const run = mountedRun(
      () => session as RunSession,
      (_, place) => storedTask(runSnapshot, frame, place),
    );
    return { run, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** @throws RESUME_METADATA_MISMATCH where this code makes another task of the rows than the run's owner has */
function storedTask(runSnapshot: RunSnapshot, { tasks }: RenderedFrame, place: TaskPlace): TaskDescriptor {
  const isThere = (each: TaskPlace) => taskKey(each) === taskKey(place);
  const task = tasks.find(isThere);
  const row = runSnapshot.nodes.find(isThere);
  if (task !== undefined && task.fingerprint === row?.fingerprint) return task;
  const { runId } = runSnapshot.run;
  throw new ServiceError(
    "RESUME_METADATA_MISMATCH",
    `The worker's code makes ${task === undefined ? "no" : "another"} task ${place.nodeId} of the rows of run ${runId}: the frame depends on something that is not in them, such as the time, a file or the machine.`,
    { details: { runId, nodeId: place.nodeId, iteration: place.iteration } },
  );
}
