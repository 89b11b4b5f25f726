import type { ElementKey, WorkflowElement, WorkflowNode } from "../src/util/element.js";

interface Markup {
  key?: ElementKey | null | undefined;
  children?: WorkflowNode;
}

interface LinkMarkup extends Markup {
  href?: string;
  title?: string;
}

interface ImageMarkup {
  key?: ElementKey | null | undefined;
  src?: string;
  alt?: string;
  title?: string;
}

interface CodeMarkup extends Markup {
  /** `language-<name>`, as Markdown compilers write it: becomes the fence's info string. */
  className?: string;
}

interface OrderedListMarkup extends Markup {
  /** Number of the first item. @default 1 */
  start?: number;
}

type MarkupTag =
  | "p"
  | "h1"
  | "h2"
  | "h3"
  | "h4"
  | "h5"
  | "h6"
  | "ul"
  | "li"
  | "pre"
  | "strong"
  | "b"
  | "em"
  | "i"
  | "del"
  | "br"
  | "hr"
  | "blockquote"
  | "table"
  | "thead"
  | "tbody"
  | "tr"
  | "th"
  | "td"
  | "section"
  | "article"
  | "div"
  | "span";

/**
 * Types of TSX files compiled with `jsxImportSource: "treadle"`. Lower-case
 * elements are prompt markup: inside a task they become Markdown.
 */
export namespace JSX {
  export type ElementType =
    | keyof IntrinsicElements
    | ((props: never) => WorkflowNode)
    | (new (
        props: never,
      ) => ElementClass);
  export interface Element extends WorkflowElement {}
  export interface ElementClass {
    render(): WorkflowNode;
  }
  export interface ElementAttributesProperty {
    props: unknown;
  }
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicAttributes {
    key?: ElementKey | null | undefined;
  }
  export interface IntrinsicElements extends Record<MarkupTag, Markup> {
    a: LinkMarkup;
    img: ImageMarkup;
    code: CodeMarkup;
    ol: OrderedListMarkup;
  }
}
