import type { WorkflowElement } from "../src/util/element.js";

const ELEMENT = Symbol.for("react.transitional.element");

/**
 * An element as React's production runtime makes it. React's development
 * runtime captures a stack per element, which a frame of thousands of tasks
 * cannot afford, so the package brings its own.
 */
export function makeElement(
  type: unknown,
  props: Readonly<Record<string, unknown>>,
  key: string | null,
): WorkflowElement {
  const ref = props["ref"];
  return {
    $$typeof: ELEMENT,
    type,
    key,
    ref: ref === undefined ? null : ref,
    props,
  } as unknown as WorkflowElement;
}
