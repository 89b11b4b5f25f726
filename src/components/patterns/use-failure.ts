import type { SerializedError } from "../../errors/ensure-error.js";
import { useRenderPlace } from "../render-place.js";

/**
 * `TaskRuntime.failure` for prompts that are rendered with the frame, as what an author has put into them is, which
 * may read the run.
 */
export function useFailure(): (nodeId: string) => SerializedError | null {
  const { runtime, loops } = useRenderPlace("useFailure()");
  return (nodeId) => runtime.failure(nodeId, loops);
}
