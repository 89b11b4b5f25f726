import { type PlacedFiber, fiberPath, stepOf } from "./fiber-path.js";
import { markMoved, type TreeElement } from "./tree.js";

/** The part of React's own records that is read. The reconciler is pinned, and a test notices when they look different. */
export interface MovableFiber extends PlacedFiber {
  readonly child: MovableFiber | null;
  readonly sibling: MovableFiber | null;
  readonly return: MovableFiber | null;
  /** The same one as it was before this commit; null for what the commit mounts. */
  readonly alternate: MovableFiber | null;
  readonly stateNode: unknown;
}

const HOST_COMPONENT = 5;

/**
 * React keeps what it has mounted where the elements around it went: `[null, loop]` that becomes
 * `loop` moves from the second place to the first. Its path then is that of where it stands, as
 * in a process that mounts it there. Looks only where this commit has rendered something.
 */
export function followMoves(parent: MovableFiber): void {
  for (let child = parent.child; child !== null; child = child.sibling) {
    const before = child.alternate;
    if (before === null) continue;
    if (child.key === null && child.index !== before.index) setPaths(child, fiberPath(child));
    else if (child.child !== before.child) followMoves(child);
  }
}

/** Down from what has moved: records further down may still name parents of before. */
function setPaths(fiber: MovableFiber, path: string): void {
  if (fiber.tag === HOST_COMPONENT) markMoved(fiber.stateNode as TreeElement, path);
  for (let child = fiber.child; child !== null; child = child.sibling) {
    setPaths(child, path + stepOf(child, fiber));
  }
}
