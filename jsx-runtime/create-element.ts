import type { ElementKey, WorkflowElement } from "../src/util/element.js";
import { makeElement } from "./make-element.js";
import { withPromptSchema } from "./prompt-schema.js";

/** What JSX compiles to. */
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
  if (type === "Task" && props["agent"] !== undefined) props = withPromptSchema(props);
  return makeElement(type, props, key);
}
