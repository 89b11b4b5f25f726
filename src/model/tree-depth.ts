import { ServiceError } from "../errors/service-error.js";
import { elementName, type NamedElement } from "./element-name.js";

/** Elements that may stand within one another, prompt markup included: what reads a tree goes down it by calls. */
export const MOST_LEVELS = 500;

/**
 * @param depth how many elements there are from the outermost one down to this one
 * @throws TREE_TOO_DEEP naming the element
 */
export function checkDepth(depth: number, element: NamedElement): void {
  if (depth <= MOST_LEVELS) return;
  const { id } = element.props;
  throw new ServiceError(
    "TREE_TOO_DEEP",
    `${elementName(element)} stands at level ${depth} of the tree, which may have ${MOST_LEVELS} levels.`,
    { details: { tag: element.tag, ...(typeof id === "string" && { id }), depth, limit: MOST_LEVELS } },
  );
}
