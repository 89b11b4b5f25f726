import { elementSource } from "../../jsx-runtime/element-source.js";
import { elementName } from "./element-name.js";
import type { HostElement } from "./host-node.js";

/** A component made of other components, as its author wrote it. */
export interface Composite {
  readonly tag: string;
  /** The very object that the component was called with: where it was written is remembered by it. */
  readonly props: Readonly<Record<string, unknown>>;
}

// Keyed by the props of the element that a composite consists of, which reach the host tree as they are.
const composites = new WeakMap<object, Composite>();

export function rememberComposite(elementProps: object, composite: Composite): void {
  composites.set(elementProps, composite);
}

/** The innermost composite that an element is a part of. */
export function compositeAround(element: HostElement): Composite | undefined {
  for (let at: HostElement | null = element; at !== null; at = at.parent) {
    const composite = composites.get(at.props);
    if (composite !== undefined) return composite;
  }
  return undefined;
}

/** `<Panel id="jury"> (flow.tsx:12)`; the line is known when the workflow was compiled with the development JSX transform. */
export function compositeName({ tag, props }: Composite): string {
  const source = elementSource(props);
  return (
    elementName({ tag, props }) + (source === undefined ? "" : ` (${source.fileName}:${source.lineNumber})`)
  );
}
