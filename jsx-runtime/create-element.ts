import type { ElementKey, WorkflowElement } from "../src/util/element.js";

const ELEMENT = Symbol.for("react.transitional.element");

/**
 * An element as React's production runtime makes it. React's development
 * runtime captures a stack per element, which a frame of thousands of tasks
 * cannot afford, so the package brings its own.
 */
export function createElement(
  type: unknown,
  config: Readonly<Record<string, unknown>>,
  maybeKey?: ElementKey,
): WorkflowElement {
  let key: string | null = maybeKey === undefined ? null : `${maybeKey}`;
  let props = config;
  // `key` arrives inside the props only when it was spread: `<Task {...props} />`.
  if ("key" in config) {
    if (config["key"] !== undefined) key = `${config["key"]}`;
    const { key: _key, ...rest } = config;
    props = rest;
  }
  const ref = props["ref"];
  return {
    $$typeof: ELEMENT,
    type,
    key,
    ref: ref === undefined ? null : ref,
    props,
  } as unknown as WorkflowElement;
}
