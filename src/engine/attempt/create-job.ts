import { globalTaskId, type TaskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { AttemptJob } from "../ports.js";
import type { RunSession } from "../session/session.js";
import { codeName } from "../view/code-name.js";
import { codeFiles } from "../view/code-files.js";
import { forkedNode, type ForkSources } from "./forks.js";
import { mountedNode } from "./mounted-run.js";

/** An attempt of a mounted task as data. @throws INTERNAL_ERROR */
export function createJob(
  session: RunSession,
  about: {
    key: TaskKey;
    attempt: number;
    forkSources: ForkSources;
    formerOwnerOf: (key: TaskKey) => string | null;
  },
): AttemptJob {
  const { node, task } = mountedNode(session, about.key);
  const { row, attempt: open } = node;
  const { workflow } = session.view;
  const heartbeatJson = session.heartbeats.get(about.key);
  const { runId } = session;
  const { nodeId, iteration } = row;
  // Written out as a whole: what is spread into so many members costs more than all of them.
  const job: AttemptJob = {
    runId,
    nodeId,
    iteration,
    attempt: about.attempt,
    kind: task.kind,
    fingerprint: row.fingerprint,
    idempotencyKey: globalTaskId({ runId, nodeId, iteration }),
    deadlineAtMs: open === null || open.timeoutMs === null ? null : open.startedAtMs + open.timeoutMs,
    failures: row.failures,
    workflowName: session.workflowName,
    ownerId: session.ownerId,
    epoch: session.lease.epoch,
    nextSeq: session.ledger.nextSeq,
    modules: codeFiles(session),
    code: codeName(workflow.workflowHash, session.workflowName),
    queue: task.queue ?? null,
    config: session.config,
    resolution: node.resolution,
    editedPrompt: session.editedPrompts.get(about.key) ?? null,
    previousError: failureOf(row),
    cacheAll: session.frame?.cache ?? workflow.cache,
    heldLimits: node.slot?.limits ?? [],
    agentAt: node.passedOn?.agentAt ?? null,
    forkedNode: forkedNode(session.state, task),
    isForkSource: about.forkSources.has(session.frame, task.nodeId),
    revertedAttempt: session.revertedAttempts.get(about.key) ?? 0,
    formerOwner: about.formerOwnerOf(about.key),
  };
  return heartbeatJson === undefined ? job : { ...job, lastHeartbeat: JSON.parse(heartbeatJson) as unknown };
}

/** The error of the task's last attempt. An agent that could not be asked says nothing about the work. */
function failureOf({ error }: NodeRow): string | null {
  return error === null || error.code === "AGENT_QUOTA_EXCEEDED" ? null : error.message;
}
