import type { Fiber } from "react-reconciler";
import { stepText } from "../model/place.js";

/** The part of React's records of mounted components and elements that is read. */
export type PlacedFiber = Pick<Fiber, "tag" | "key" | "index"> & {
  readonly sibling: unknown;
  readonly return: PlacedFiber | null;
};

const HOST_ROOT = 3;
const HOST_COMPONENT = 5;
const FRAGMENT = 7;

/** The steps from the root down to an element that is being mounted (see {@link stepText}). */
export function fiberPath(fiber: PlacedFiber): string {
  let path = "";
  for (let current = fiber; current.tag !== HOST_ROOT && current.return !== null; current = current.return) {
    path = stepOf(current, current.return) + path;
  }
  return path;
}

/** React counts `false` and `null` as positions, so a conditional sibling leaves the others where they are. */
export function stepOf(fiber: PlacedFiber, parent: PlacedFiber): string {
  return stepText({
    isInComponent: parent.tag !== HOST_COMPONENT && parent.tag !== FRAGMENT,
    key: fiber.key,
    index: fiber.index,
    isAlone: fiber.sibling === null,
  });
}
