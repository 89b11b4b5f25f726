import { type TaskKey, taskKey } from "../../model/address.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { RenderedFrame } from "../../model/graph.js";
import { UNTRIED } from "../../model/node.js";
import type { ControlState } from "../../model/plan.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { FrameWaits } from "../../renderer/frame-waits.js";
import { openRun } from "../session/open-run.js";
import { render } from "../turn/render-pending.js";

/** Nodes that a reset would run again. */
export interface ResetPlan {
  /** The node first, then what depends on it, in the order of the tree. */
  keys: TaskKey[];
  /** Loops and blocks that go back to where the node is. */
  controls: ControlState[];
}

/** The run with other progress of some loops and blocks. */
export function withControls(runSnapshot: RunSnapshot, controls: readonly ControlState[]): RunSnapshot {
  const ids = new Set(controls.map(({ id }) => id));
  const isReplaced = ({ kind, id }: RunSnapshot["controls"][number]) =>
    (kind === "loop" || kind === "scope") && ids.has(id);
  return {
    ...runSnapshot,
    controls: [...runSnapshot.controls.filter((control) => !isReplaced(control)), ...controls],
  };
}

/**
 * The run as a reset leaves it: nodes pending, their rows gone, loops and blocks
 * back. Decisions of people are gone where they are to be asked again;
 * otherwise they are put aside until the task asks another question.
 */
export function resetRunSnapshot(
  runSnapshot: RunSnapshot,
  { keys, controls }: ResetPlan,
  about: { now: number; decisions: "forgotten" | "put-aside" },
): RunSnapshot {
  const { now } = about;
  const again = about.decisions === "forgotten" ? forgotten : putAside;
  const isReset = new Set(keys);
  const has = ({ nodeId, iteration }: { nodeId: string; iteration: number }) =>
    isReset.has(taskKey({ nodeId, iteration }));
  return {
    ...withControls(runSnapshot, controls),
    nodes: runSnapshot.nodes.map((row) => (has(row) ? { ...row, ...UNTRIED, updatedAtMs: now } : row)),
    outputs: runSnapshot.outputs.filter(({ row }) => !has(row)),
    approvals: runSnapshot.approvals.map((row) => (has(row) ? again(row) : row)),
  };
}

/** Nothing waits for it, until the node is reached again. A decision that is withdrawn stands again once the same is asked. */
function putAside(row: ApprovalRow): ApprovalRow {
  return { ...row, status: "withdrawn" };
}

/** The node asks anew when it is reached, if it is. */
function forgotten(row: ApprovalRow): ApprovalRow {
  return { ...row, status: "withdrawn", decision: null, decidedAtMs: null, autoApproved: false };
}

/**
 * The frame that a resume of the run would begin with.
 * @throws FrameWaits while a component is being loaded: to be drawn again after it
 */
export function renderRunSnapshot(
  services: EngineServices,
  workflow: EngineWorkflow,
  runSnapshot: RunSnapshot,
): RenderedFrame {
  const { view, mailbox } = openRun(services, runSnapshot, { workflow, followContinuation: false });
  const close = () => {
    view.frames.dispose();
    mailbox.close();
  };
  let frame: RenderedFrame;
  try {
    frame = render(view);
  } catch (error) {
    // Loaded data is handed to a tree that is there. The caller learns as well why it was not loaded.
    if (error instanceof FrameWaits)
      error
        .settled()
        .then(close, close)
        .catch(() => {});
    else close();
    throw error;
  }
  close();
  return frame;
}
