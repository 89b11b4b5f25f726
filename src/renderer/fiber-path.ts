import type { Fiber } from "react-reconciler";

const HOST_ROOT = 3;
const HOST_COMPONENT = 5;
const FRAGMENT = 7;

/**
 * The key or index of each ancestor, joined by dots. React counts `false` and
 * `null` as positions, so a conditional sibling leaves the others where they
 * are. The only child of a component or provider adds nothing: wrapping an
 * element in a component does not move it.
 */
export function fiberPath(fiber: Fiber): string {
  let path = "";
  for (let current = fiber; current.tag !== HOST_ROOT; ) {
    const parent = current.return;
    if (parent === null) break;
    if (!isOnlyChildOfComponent(current, parent)) {
      const segment = current.key === null ? String(current.index) : current.key;
      path = path === "" ? segment : `${segment}.${path}`;
    }
    current = parent;
  }
  return path;
}

function isOnlyChildOfComponent(fiber: Fiber, parent: Fiber): boolean {
  return (
    fiber.key === null &&
    fiber.index === 0 &&
    fiber.sibling === null &&
    parent.tag !== HOST_COMPONENT &&
    parent.tag !== FRAGMENT
  );
}
