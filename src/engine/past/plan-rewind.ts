import { type TaskKey, taskKey, type TaskPlace } from "../../model/address.js";
import type { ApprovalRow } from "../../model/approval.js";
import { type NodeRow, UNTRIED } from "../../model/node.js";
import type { StoredControl } from "../../model/plan.js";
import type { RunSnapshot } from "../../store/index.js";
import { sameData } from "../../util/same-data.js";
import { begun } from "../reset/rewind.js";
import type { Past } from "./past-of.js";
import type { Signal } from "./signals-as-of.js";

/** The difference between a run as it is and as it was. */
export interface RewindPlan {
  /** Nodes that had not ended, as they are before their first attempt. */
  readonly reset: readonly NodeRow[];
  /** Nodes that had ended in another way, as they had. */
  readonly restored: readonly NodeRow[];
  readonly controls: readonly StoredControl[];
  readonly approvals: readonly ApprovalRow[];
  /** Signals that were taken up since. */
  readonly signals: readonly Signal[];
}

/**
 * Plans how a run goes back. Numbers of attempts, frames and events continue: what was is history, and nothing of it is
 * written over.
 * @param now the run as it is stored, under its lease
 */
export function planRewind(now: RunSnapshot, past: Past, nowMs: number): RewindPlan {
  const then = new Map(past.rows.nodes.map((row) => [taskKey(row), row]));
  const reset: NodeRow[] = [];
  const restored: NodeRow[] = [];
  for (const row of now.nodes) {
    const before = then.get(taskKey(row));
    if (before === undefined) {
      if (hasBegun(row)) reset.push({ ...row, ...UNTRIED, updatedAtMs: nowMs });
    } else if (!sameData(before, row)) {
      restored.push({ ...before, lastAttempt: Math.max(before.lastAttempt, row.lastAttempt) });
    }
  }
  const changed = new Set([...reset, ...restored].map(taskKey));
  return {
    reset,
    restored,
    controls: changedControls(now, past),
    approvals: changedApprovals(now, past, changed),
    signals: past.signals.filter(
      ({ intent, createdAtMs }) =>
        !now.intents.some((each) => each.createdAtMs === createdAtMs && sameData(each.intent, intent)),
    ),
  };
}

function hasBegun({ state, lastAttempt, failures, wait }: NodeRow): boolean {
  return state !== "pending" || lastAttempt > 0 || failures > 0 || wait !== null;
}

/** Loops and blocks that were not reached yet stand at their beginning. What held the run is over; what an alert has told stays told. */
function changedControls(now: RunSnapshot, { rows }: Past): StoredControl[] {
  const idOf = ({ kind, id }: StoredControl) => `${kind} ${id}`;
  const then = new Map(rows.controls.map((control) => [idOf(control), control]));
  return now.controls.flatMap((control): StoredControl[] => {
    switch (control.kind) {
      case "hold":
        return control.isOpen ? [{ ...control, isOpen: false }] : [];
      case "loop":
      case "scope": {
        const { id } = control;
        const first: StoredControl =
          control.kind === "loop" ? begun(id, now.run.config) : { kind: "scope", id, phase: "body" };
        const before = then.get(idOf(control)) ?? first;
        return sameData(before, control) ? [] : [before];
      }
      case "prompt": {
        const before = then.get(idOf(control)) ?? { ...control, prompt: null, editedBy: null };
        return sameData(before, control) ? [] : [before];
      }
      case "alert":
      case "inline":
        return [];
      default:
        return control satisfies never;
    }
  });
}

/** A decision of later is forgotten: its question is asked again when it is reached. */
function changedApprovals(now: RunSnapshot, past: Past, changed: ReadonlySet<TaskKey>): ApprovalRow[] {
  const then = new Map(past.approvals.map((row) => [taskKey(row), row]));
  const isNode = new Set(now.nodes.map((row: TaskPlace) => taskKey(row)));
  return now.approvals.flatMap((row) => {
    const key = taskKey(row);
    const before = then.get(key);
    if (before !== undefined) return sameData(before, row) ? [] : [before];
    const isOpen = changed.has(key) || !isNode.has(key);
    const isForgotten = row.status === "withdrawn" && row.decision === null;
    if (!isOpen || isForgotten) return [];
    return [{ ...row, status: "withdrawn", decision: null, decidedAtMs: null, autoApproved: false }];
  });
}
