/** The rendered tree as data. Props are strings; functions, elements and payloads are left out. */
export type XmlNode = XmlElement | XmlText;

export interface XmlElement {
  kind: "element";
  tag: string;
  props: Record<string, string>;
  children: XmlNode[];
}

export interface XmlText {
  kind: "text";
  text: string;
}
