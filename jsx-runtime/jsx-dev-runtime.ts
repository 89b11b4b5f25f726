import type { ElementKey, WorkflowElement } from "../src/util/element.js";
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
  const element = createElement(type, config, key);
  if (source !== undefined) rememberElementSource(element.props as object, source);
  return element;
}
