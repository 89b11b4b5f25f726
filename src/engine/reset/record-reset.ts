import { taskKey } from "../../model/address.js";
import type { RunImage } from "../../store/contract.js";
import type { CommitBuilder } from "../turn/commit.js";
import type { ResetPlan } from "./reset-plan.js";

/** Adds to a commit what a reset changes; the commit's state is that of `after`. */
export function recordReset(commit: CommitBuilder, after: RunImage, { keys, controls }: ResetPlan): void {
  const isReset = new Set(keys);
  for (const key of keys) commit.add([{ type: "node", key }]);
  for (const { nodeId, iteration, outputKey } of after.nodes) {
    if (outputKey === "" || !isReset.has(taskKey({ nodeId, iteration }))) continue;
    commit.removedOutputs.push({ outputKey, nodeId, iteration });
  }
  for (const row of after.approvals) {
    if (isReset.has(taskKey(row))) commit.add([{ type: "approval", row }]);
  }
  for (const { id } of controls) commit.add([{ type: "control", id }]);
}
