import { elementSource } from "../../../jsx-runtime/element-source.js";
import { ServiceError } from "../../errors/service-error.js";
import { deserializeError } from "../../errors/ensure-error.js";
import type { RenderedFrame } from "../../model/graph.js";
import { compilePlan, forkCycle, tasksInCircles } from "../../scheduler/index.js";
import type { EngineWorkflow } from "../ports.js";
import { invalidate } from "../session/open-run.js";
import type { RunSession } from "../session/session.js";
import { refuseLateMembers } from "../turn/late-members.js";
import { refuseLostSteps } from "../turn/lost-steps.js";
import { renderStable } from "../turn/render-pending.js";
import type { CodeView } from "../view/code-view.js";
import { openView } from "../view/open-view.js";
import { FrameWaits } from "../../renderer/frame-waits.js";

/** The result of newer code on the run as it stands; nothing of the run has changed yet. */
export type Trial =
  | { readonly view: CodeView; readonly frame: RenderedFrame }
  | { readonly error: unknown }
  /** It loads a component: to be tried again, with another view, once that is there. */
  | { readonly view: CodeView; readonly waits: FrameWaits };

export function tryView(session: RunSession, workflow: EngineWorkflow): Trial {
  const { outputs, services, frame: before, mailbox } = session;
  const view = openView(() => session, {
    workflow,
    outputs,
    services,
    onInvalidate: () => {
      // A trial that was refused has nothing to say any more.
      if (session.view === view) invalidate(mailbox);
    },
    ...(before !== null && { after: before.structureVersion }),
  });
  try {
    const frame = renderStable(view, before);
    refuseCircles(frame);
    refuseLostSteps(session.state, frame.plan);
    refuseLateMembers(session.state, frame);
    return { view, frame };
  } catch (error) {
    // Loaded data is handed to a tree that is there.
    if (error instanceof FrameWaits) return { view, waits: error };
    closeView(view);
    return { error };
  }
}

/** Components clean up after themselves; one that cannot does not stop the run. */
export function closeView({ frames }: CodeView): void {
  try {
    frames.dispose();
  } catch (error) {
    process.emitWarning(`The replaced workflow could not clean up: ${String(error)}`);
  }
}

/** In a running workflow the mistake would only show once nothing moves any more. @throws SCHEDULER_ERROR, TASK_FORK_CYCLE */
function refuseCircles({ plan, tasks }: RenderedFrame): void {
  const compiled = compilePlan(plan, 0);
  const fork = forkCycle(compiled.tasks);
  if (fork !== null) throw deserializeError(fork.error);
  const ids = compiled.tasks.map(({ nodeId }) => nodeId);
  const stuck = tasksInCircles(compiled, ids);
  if (stuck.length === 0) return;
  const first = compiled.tasks.find(({ nodeId }) => nodeId === stuck[0]);
  const source = first === undefined ? undefined : elementSource(first);
  const details = { nodeIds: stuck, tasks: tasks.length, ...source };
  throw new ServiceError(
    "SCHEDULER_ERROR",
    `${stuck.length} task(s) could never start because tasks wait for each other: ${stuck.join(", ")}.`,
    { details, retryable: false },
  );
}
