import type { GatewayMethods } from "../../../client/index.js";
import { shownShort } from "../../parts/text.js";

export type ListedFrame = GatewayMethods["listFrames"]["result"]["frames"][number];

/** Why the frame was rendered, with the task that it was rendered for. */
export function reasonOf({ reason, nodeId, iteration }: ListedFrame): string {
  if (nodeId === null) return reason;
  const round = iteration === null || iteration === 0 ? "" : `, round ${iteration + 1}`;
  return `${reason}: ${shownShort(nodeId, 80)}${round}`;
}
