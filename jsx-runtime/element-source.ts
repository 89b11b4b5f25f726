/** Where an element was written. */
export interface ElementSource {
  fileName: string;
  lineNumber: number;
}

// Keyed by the props object: it is the one part of an element that reaches the host tree as it is.
const sources = new WeakMap<object, ElementSource>();

export function rememberElementSource(props: object, source: ElementSource): void {
  sources.set(props, source);
}

/** File and line of the element with these props; known only when it was compiled by the development JSX transform. */
export function elementSource(props: object): ElementSource | undefined {
  return sources.get(props);
}
