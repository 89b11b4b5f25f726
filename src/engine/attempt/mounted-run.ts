import { ServiceError } from "../../errors/service-error.js";
import { type TaskKey, taskKey, type TaskPlace } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { ScheduledNode, SchedulerView } from "../../scheduler/index.js";
import type { MountedRun, MountedTask } from "../ports.js";
import { readScores } from "../scores/read-scores.js";
import type { RunSession } from "../session/session.js";
import { idFor, roundsAroundNode } from "../view/node-for.js";
import { readFailure } from "../view/read-failure.js";
import { rowCopy } from "../view/row-copy.js";

/** The code and rows that attempts of this process find in the frame that it has rendered last. */
export function mountedRun(
  sessionOf: () => RunSession,
  taskAt: (session: RunSession, place: TaskPlace) => TaskDescriptor = (session, place) =>
    mountedNode(session, taskKey(place)).task,
): MountedRun {
  const preflights: MountedTask["preflights"] = new Map();
  return {
    taskAt(place) {
      const session = sessionOf();
      const task = taskAt(session, place);
      const { args, error } = resolveArguments(session, task);
      return { task, args, dependencyError: error, preflights };
    },
    scores: (place, nodeId) => readScores(sessionOf(), { key: taskKey(place), nodeId }),
    failure(place, nodeId) {
      const session = sessionOf();
      const asking = session.state.nodes.get(taskKey(place))?.row;
      const id = idFor(session.state, asking, nodeId);
      return readFailure(session, { nodeId: id, rounds: roundsAroundNode(asking) });
    },
  };
}

/** @throws INTERNAL_ERROR when the newest frame has no such task */
export function mountedNode(
  session: RunSession,
  key: TaskKey,
): { node: ScheduledNode; task: TaskDescriptor } {
  const node = session.state.nodes.get(key);
  if (node?.task == null) {
    throw new ServiceError("INTERNAL_ERROR", `Task ${key} was started while it was not mounted.`);
  }
  return { node, task: node.task };
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
