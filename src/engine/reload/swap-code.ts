import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import { sameData } from "../../util/same-data.js";
import { AlertWatch } from "../alerts/alert-watch.js";
import type { LoadedUpdate } from "../ports.js";
import type { RunSession } from "../session/session.js";
import { advance } from "../turn/advance.js";
import { compareTasks, type NodeChange } from "../turn/change-check.js";
import type { CommitBuilder } from "../turn/commit.js";
import { renderPending } from "../turn/render-pending.js";
import type { CodeView } from "../view/code-view.js";
import { closeView } from "./try-view.js";

/**
 * The run continues with newer code: rows stay, attempts in progress keep the code
 * that they began with, everything else follows the new frame. From here on the
 * run is one of this code, as a later resume compares it.
 */
export function swapCode(
  session: RunSession,
  commit: CommitBuilder,
  { update, view, frame }: { update: LoadedUpdate; view: CodeView; frame: RenderedFrame },
): void {
  const { workflow, generation, cancelUnmounted } = update;
  const changes = changesBetween(session.frame as RenderedFrame, frame);
  const mounted = mountedAttempts(session);
  closeView(session.view);
  rewatchAlerts(session, view);
  session.view = view;
  session.firstFrame = frame;
  session.workflowName = frame.workflowName;
  session.workflowHash = workflow.workflowHash;
  commit.run.workflowHash = workflow.workflowHash;
  commit.loaded = workflow.loaded;
  commit.run.workflowName = frame.workflowName;
  commit.event({
    type: "WorkflowReloaded",
    generation,
    changedFiles: [...update.changedFiles],
    durationMs: Math.round(update.elapsedMs()),
    changes,
    outdated: outdatedRows(session, frame, changes),
  });
  advance(session, commit, { type: "invalidate", reason: "reload" });
  renderPending(session, commit);
  if (!cancelUnmounted) return;
  const gone = mounted.filter((key) => session.state.nodes.get(key)?.task === null);
  if (gone.length > 0) advance(session, commit, { type: "call-off", keys: gone });
}

function mountedAttempts({ state }: RunSession): TaskKey[] {
  return [...state.running].filter((key) => state.nodes.get(key)?.task !== null);
}

/** Definitions as a resume compares them, and what a reader of the file sees besides: prompts and rows. */
function changesBetween(before: RenderedFrame, now: RenderedFrame): NodeChange[] {
  const changes = compareTasks(before.tasks, now);
  const known = new Set(changes.map(({ nodeId }) => nodeId));
  const old = new Map(before.tasks.map((task) => [task.nodeId, task]));
  for (const { nodeId, prompt, staticPayload } of now.tasks) {
    const task = old.get(nodeId);
    if (task === undefined || known.has(nodeId)) continue;
    if (task.prompt === prompt && sameData(task.staticPayload, staticPayload)) continue;
    changes.push({ nodeId, change: "changed" });
  }
  return changes;
}

function outdatedRows(
  { state }: RunSession,
  { tasks }: RenderedFrame,
  changes: readonly NodeChange[],
): { nodeId: string; iteration: number }[] {
  const changed = new Set(changes.flatMap(({ nodeId, change }) => (change === "changed" ? nodeId : [])));
  return tasks
    .filter((task) => changed.has(task.nodeId))
    .map(taskKey)
    .filter((key) => state.nodes.get(key)?.row.state === "finished")
    .map(parseTaskKey);
}

/** Alerts that have fired do not fire again. */
function rewatchAlerts(session: RunSession, { workflow }: CodeView): void {
  const { alertRules } = workflow;
  if (sameData(alertRules, session.view.workflow.alertRules)) return;
  const { state, startedAtMs, alerts } = session;
  session.alerts =
    alertRules.length === 0
      ? null
      : new AlertWatch(alertRules, {
          fired: alerts?.fired ?? [],
          startedAtMs,
          nodes: [...state.nodes.values()].map(({ row }) => row),
          rowOf: (key) => state.nodes.get(key)?.row,
        });
}
