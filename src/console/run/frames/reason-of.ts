import type { GatewayMethods } from "../../../client/index.js";
import { shownShort } from "../../parts/text.js";

export type ListedFrame = GatewayMethods["listFrames"]["result"]["frames"][number];

const WORDS: Readonly<Record<string, string>> = {
  mount: "the run begins",
  output: "a row was written",
  control: "resumed, retried or decided",
  settle: "the last look",
  reload: "newer code",
};

/** Why the frame was rendered, with the task that it was rendered for. */
export function reasonOf({ reason, nodeId, iteration }: ListedFrame): string {
  const words = WORDS[reason] ?? reason;
  if (nodeId === null) return words;
  const task = shownShort(nodeId, 80);
  const round = iteration === null || iteration === 0 ? "" : `, round ${iteration + 1}`;
  return reason === "output" ? `${task} finished${round}` : `${words}: ${task}${round}`;
}
