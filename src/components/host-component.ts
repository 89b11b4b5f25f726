import type { HostTag } from "../model/host-node.js";

/**
 * A component that is its element: React sees the tag, so a task costs one fiber
 * and no function call.
 */
export function hostComponent<C>(tag: HostTag): C {
  // React takes a string where TypeScript sees a component; only the type needs to say what props it has.
  return tag as unknown as C;
}
