import { ServiceError } from "../../errors/service-error.js";
import type { TaskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { SchedulerView } from "../../scheduler/view.js";
import { rowCopy } from "../view/row-copy.js";
import type { AttemptJob } from "../ports.js";
import type { RunSession } from "../session/session.js";
import { codeFiles } from "../view/code-files.js";
import { forkedNode, type ForkSources } from "./forks.js";

/** Everything that an attempt of a mounted task needs of its run. @throws INTERNAL_ERROR */
export function createJob(
  session: RunSession,
  about: {
    key: TaskKey;
    attempt: number;
    preflights: AttemptJob["preflights"];
    forkSources: ForkSources;
    formerOwnerOf: (key: TaskKey) => string | null;
  },
): AttemptJob {
  const node = session.state.nodes.get(about.key);
  const task = node?.task;
  if (node === undefined || task == null) {
    throw new ServiceError("INTERNAL_ERROR", `Task ${about.key} was started while it was not mounted.`);
  }
  const { workflow } = session.view;
  const heartbeatJson = session.heartbeats.get(about.key);
  const { args, error } = resolveArguments(session, task);
  return {
    runId: session.runId,
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    attempt: about.attempt,
    failures: node.row.failures,
    task,
    workflowName: session.workflowName,
    ownerId: session.ownerId,
    modules: codeFiles(session),
    config: session.config,
    args,
    dependencyError: error,
    resolution: node.resolution,
    lastHeartbeat: heartbeatJson === undefined ? undefined : JSON.parse(heartbeatJson),
    previousError: failureOf(node.row),
    cacheAll: session.frame?.cache ?? workflow.cache,
    heldLimits: node.slot?.limits ?? [],
    agentAt: node.passedOn?.agentAt ?? null,
    forkedNode: forkedNode(session.state, task),
    isForkSource: about.forkSources.has(session.frame, task.nodeId),
    preflights: about.preflights,
    formerOwner: about.formerOwnerOf(about.key),
  };
}

/** What the task's last attempt failed of. That nobody could be asked says nothing about the work. */
function failureOf({ error }: NodeRow): string | null {
  return error === null || error.code === "AGENT_QUOTA_EXCEEDED" ? null : error.message;
}

/** Each attempt has its rows for itself, to sort or to change as it likes. */
function resolveArguments(
  session: RunSession,
  task: TaskDescriptor,
): { args: Record<string, OutputRow | undefined>; error: Error | null } {
  if (task.needs === undefined && task.deps === undefined) return { args: {}, error: null };
  const rows = new Map<string, OutputRow | undefined>();
  for (const [alias, nodeId] of Object.entries(task.needs ?? {})) {
    const outputKey = nodeOf(session.state, nodeId)?.outputKey ?? "";
    const row = rowFor(session, task, { nodeId, outputKey });
    rows.set(alias, row && rowCopy(row));
  }
  for (const [name, target] of Object.entries(task.deps ?? {})) {
    const row = rowFor(session, task, target);
    if (row === undefined) {
      const error = new ServiceError(
        "DEP_NOT_SATISFIED",
        `Task ${task.nodeId} needs ${name}, but ${target.nodeId} ${whyWithoutRow(session, target)}.`,
        { details: { dependency: name, dependencyNodeId: target.nodeId, outputKey: target.outputKey } },
      );
      return { args: Object.fromEntries(rows), error };
    }
    rows.set(name, rowCopy(row));
  }
  return { args: Object.fromEntries(rows), error: null };
}

function whyWithoutRow(
  { state }: RunSession,
  { nodeId, outputKey }: { nodeId: string; outputKey: string },
): string {
  const known = nodeOf(state, nodeId)?.state;
  if (known === "skipped") return "was skipped";
  return known === "failed" ? "has failed" : `has no row in ${outputKey}`;
}

/** Upstream tasks of the same loop are read at the same iteration, others at their latest. */
function rowFor(
  session: RunSession,
  task: TaskDescriptor,
  target: { nodeId: string; outputKey: string },
): OutputRow | undefined {
  const { outputs, state } = session;
  const loopId = nodeOf(state, target.nodeId)?.loopId ?? null;
  if (loopId !== null && loopId === (task.ralphId ?? null)) {
    return outputs.get(target.outputKey, target.nodeId, task.iteration);
  }
  return outputs.latest(target.outputKey, target.nodeId);
}

function nodeOf(state: SchedulerView, nodeId: string): NodeRow | undefined {
  const key = state.latest.get(nodeId);
  return key === undefined ? undefined : state.nodes.get(key)?.row;
}
