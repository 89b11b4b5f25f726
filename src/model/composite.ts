import { elementName } from "./element-name.js";
import type { HostElement } from "./host-node.js";

/** A component made of other components, as its author wrote it. */
export interface Composite {
  readonly tag: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Where it was written; known when the workflow was compiled with the development JSX transform. */
  readonly source?: { readonly fileName: string; readonly lineNumber: number };
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

/** `<Panel id="jury"> (flow.tsx:12)` */
export function compositeName({ tag, props, source }: Composite): string {
  const where = source === undefined ? "" : ` (${source.fileName}:${source.lineNumber})`;
  return elementName({ tag, props }) + where;
}
