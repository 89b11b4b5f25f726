import type { ElementKey, WorkflowElement } from "../src/util/element.js";
import { ServiceError } from "../src/errors/service-error.js";
import { createElement } from "./create-element.js";
import { type ElementSource, rememberElementSource } from "./element-source.js";

export { Fragment } from "./fragment.js";
export type { JSX } from "./jsx-namespace.js";

/** As `jsx`, and remembers where the element was written, so that errors can name file and line. */
export function jsxDEV(
  type: unknown,
  config: Readonly<Record<string, unknown>>,
  ...[key, , source]: [key?: ElementKey, isStatic?: boolean, source?: ElementSource, self?: unknown]
): WorkflowElement {
  // Refused by who writes it, where React would say so without the place.
  if (type === undefined) throw elementOfNothing();
  const element = createElement(type, config, key);
  if (source !== undefined) rememberElementSource(element.props as object, source);
  return element;
}

function elementOfNothing(): ServiceError {
  return new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    "Rendering failed: an element's type is undefined; check how the component is imported and exported.",
  );
}
