import { type Composite, rememberComposite } from "../../model/composite.js";
import type { WorkflowElement } from "../../util/element.js";

/**
 * The element that a composite consists of, which remembers its composite: an id that is taken is
 * then reported under the name that the author wrote. It is a host element, such as a `Sequence`.
 */
export function partsOf(composite: Composite, element: WorkflowElement): WorkflowElement {
  rememberComposite(element.props as object, composite);
  return element;
}
