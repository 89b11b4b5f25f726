import type { HostElement } from "./host-node.js";

export type NamedElement = Pick<HostElement, "tag" | "props">;

/** An element as its author knows it: `<Task id="a">`, or `<Sequence>` without an id. */
export function elementName({ tag, props: { id, name } }: NamedElement): string {
  if (typeof id === "string") return `<${tag} id=${JSON.stringify(id)}>`;
  if (typeof name === "string") return `<${tag} name=${JSON.stringify(name)}>`;
  return `<${tag}>`;
}
