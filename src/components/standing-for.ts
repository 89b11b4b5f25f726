import { elementSource, rememberElementSource } from "../../jsx-runtime/element-source.js";
import type { WorkflowElement } from "../util/element.js";

/**
 * An element that a component returns in its own place: errors about it name the line where the
 * component was written.
 * @param props those of the component, as it was given them
 */
export function standingFor(props: object, element: WorkflowElement): WorkflowElement {
  const source = elementSource(props);
  if (source !== undefined) rememberElementSource(element.props as object, source);
  return element;
}
