import type { ApprovalRow } from "../../model/approval.js";
import type { NodeRow } from "../../model/node.js";
import type { ControlState } from "../../model/plan.js";
import type { RunImage } from "../../store/contract.js";
import type { ResetPlan } from "./reset-plan.js";

/** The run with other progress of some loops and blocks. */
export function withControls(image: RunImage, controls: readonly ControlState[]): RunImage {
  const ids = new Set(controls.map(({ id }) => id));
  const isReplaced = ({ kind, id }: RunImage["controls"][number]) =>
    (kind === "loop" || kind === "scope") && ids.has(id);
  return { ...image, controls: [...image.controls.filter((control) => !isReplaced(control)), ...controls] };
}

/** The run as a reset leaves it: nodes pending, their rows and decisions gone, loops and blocks back. */
export function resetImage(image: RunImage, { keys, controls }: ResetPlan, now: number): RunImage {
  const isReset = new Set(keys);
  const has = ({ nodeId, iteration }: { nodeId: string; iteration: number }) =>
    isReset.has(`${nodeId}::${iteration}`);
  return {
    ...withControls(image, controls),
    nodes: image.nodes.map((row) => (has(row) ? resetNode(row, now) : row)),
    outputs: image.outputs.filter(({ row }) => !has(row)),
    approvals: image.approvals.map((row) => (has(row) ? askedAgain(row) : row)),
  };
}

function resetNode(row: NodeRow, now: number): NodeRow {
  return {
    ...row,
    state: "pending",
    failures: 0,
    identicalFailures: 0,
    failureFingerprint: null,
    dueAtMs: null,
    waitingSinceMs: null,
    finishedSeq: null,
    error: null,
    updatedAtMs: now,
  };
}

function askedAgain(row: ApprovalRow): ApprovalRow {
  return { ...row, status: "requested", decision: null, decidedAtMs: null, autoApproved: false };
}
