import type { TaskPlace } from "../../model/address.js";

/** `build`, or `build #2` in a loop. */
export function taskName({ nodeId, iteration }: TaskPlace): string {
  return iteration > 0 ? `${nodeId} #${iteration}` : nodeId;
}
