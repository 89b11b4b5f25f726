/** The rendered tree as data. Props are strings; functions, elements and payloads are left out. */
export type XmlNode = XmlElement | XmlText;

export interface XmlElement {
  kind: "element";
  /** Name of the element: `Task`, `Loop` … */
  tag: string;
  /** By name, as text. */
  props: Record<string, string>;
  /** In document order. */
  children: XmlNode[];
}

export interface XmlText {
  kind: "text";
  /** As it stands in the tree. */
  text: string;
}
