/**
 * The kind of content between an element's tags. Only "elements" is for React to
 * reconcile; the others are values that the element keeps as they are.
 */
export type ContentKind = "none" | "function" | "text" | "value" | "elements";

export function contentKind(children: unknown): ContentKind {
  switch (typeof children) {
    case "function":
      return "function";
    case "string":
    case "number":
    case "bigint":
      return "text";
    case "object":
      if (children === null) return "none";
      if (Array.isArray(children)) return arrayKind(children);
      return isNode(children) ? "elements" : "value";
    default:
      return "none";
  }
}

/**
 * `["Hello ", name]` is text, `[{…}, {…}]` a value, and a list with an element
 * anywhere in it is for React. An empty list holds nothing.
 */
function arrayKind(items: readonly unknown[]): ContentKind {
  let kind: ContentKind = "none";
  for (const item of items) {
    const itemKind = contentKind(item);
    if (itemKind === "elements" || itemKind === "function") return "elements";
    if (itemKind === "value") kind = "value";
    else if (itemKind === "text" && kind === "none") kind = "text";
  }
  return kind;
}

/** Things that React renders or refuses with a message of its own: elements, portals, iterables, promises. */
function isNode(value: object): boolean {
  return "$$typeof" in value || Symbol.iterator in value || "then" in value;
}
