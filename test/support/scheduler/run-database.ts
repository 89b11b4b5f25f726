import { parseTaskKey, type TaskKey, taskKey } from "../../../src/model/address.js";
import type { ApprovalRow } from "../../../src/model/approval.js";
import type { EventBody } from "../../../src/model/events.js";
import type { NodeRow } from "../../../src/model/node.js";
import type { ControlState, StoredControl } from "../../../src/model/plan.js";
import type { Command } from "../../../src/scheduler/commands.js";
import type { SchedulerIntent } from "../../../src/scheduler/intents.js";
import type { SchedulerState, StateSeed } from "../../../src/scheduler/state.js";

/** What an engine's store would hold of one run. Plain data, so that a copy is a backup. */
export interface RunSnapshot {
  nodes: Record<string, NodeRow>;
  controls: Record<string, StoredControl>;
  approvals: Record<string, ApprovalRow>;
  /** Attempts in progress: key to number. */
  openAttempts: Record<string, number>;
  /** Requests from outside that are not consumed. */
  inbox: SchedulerIntent[];
  events: EventBody[];
  /** Keys of tasks with an output row. */
  outputs: TaskKey[];
}

export function emptyImage(): RunSnapshot {
  return { nodes: {}, controls: {}, approvals: {}, openAttempts: {}, inbox: [], events: [], outputs: [] };
}

/** Applies one turn's facts to a copy: what a commit does, all or nothing. */
export function committed(
  runSnapshot: RunSnapshot,
  state: SchedulerState,
  turn: { commands: readonly Command[]; outputs: readonly TaskKey[] },
): RunSnapshot {
  // Rows are replaced, never changed, so that images can share them.
  const next: RunSnapshot = {
    nodes: { ...runSnapshot.nodes },
    controls: { ...runSnapshot.controls },
    approvals: { ...runSnapshot.approvals },
    openAttempts: { ...runSnapshot.openAttempts },
    inbox: runSnapshot.inbox,
    events: [...runSnapshot.events],
    outputs: [...runSnapshot.outputs, ...turn.outputs],
  };
  for (const command of turn.commands) {
    switch (command.type) {
      case "node":
        next.nodes[command.key] = structuredClone(rowOf(state, command.key));
        break;
      case "control":
        next.controls[command.id] = structuredClone(state.controls.get(command.id) as ControlState);
        break;
      case "hold":
        next.controls[`hold ${command.hold.id}`] = structuredClone(command.hold);
        break;
      case "approval":
        next.approvals[taskKey(command.row)] = structuredClone(command.row);
        break;
      case "event":
        next.events.push(command.body);
        break;
      case "attempt-closed":
        if (next.openAttempts[command.key] === command.attempt) delete next.openAttempts[command.key];
        break;
      case "consume":
        next.inbox = next.inbox.filter((intent) => intent.id !== command.intentId);
        break;
      case "start":
        next.openAttempts[command.key] = command.attempt;
        break;
      case "abort":
      case "hand-over":
      case "ask-slot":
      case "free-slot":
        break;
      default:
        command satisfies never;
    }
  }
  return next;
}

function rowOf(state: SchedulerState, key: TaskKey): NodeRow {
  const node = state.nodes.get(key);
  if (node === undefined) throw new Error(`The scheduler announced node ${key}, which it does not know.`);
  return node.row;
}

/** What a process that takes the run over starts from. */
export function seedOf(runSnapshot: RunSnapshot, options: Pick<StateSeed, "maxConcurrency">): StateSeed {
  const { nodes, controls, approvals, inbox } = structuredClone(runSnapshot);
  return {
    ...options,
    nodes: Object.values(nodes),
    controls: Object.values(controls),
    approvals: Object.values(approvals),
    signals: inbox.filter((intent) => intent.kind === "signal"),
  };
}

export function interruptions(runSnapshot: RunSnapshot) {
  return Object.entries(runSnapshot.openAttempts).map(([key, attempt]) => ({
    type: "attempt-interrupted" as const,
    key: taskKey(parseTaskKey(key)),
    attempt,
    isSuspect: true,
    reason: `the process that ran ${parseTaskKey(key).nodeId} is gone`,
  }));
}
