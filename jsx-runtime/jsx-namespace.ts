import type { Component, Key, JSX as ReactJsx, ReactElement, ReactNode } from "react";

interface Markup {
  key?: Key | null;
  children?: ReactNode;
}

interface LinkMarkup extends Markup {
  href?: string;
  title?: string;
}

interface ImageMarkup {
  key?: Key | null;
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
    | ((props: never) => ReactNode)
    | (new (
        props: never,
      ) => Component);
  export interface Element extends ReactElement {}
  export interface ElementClass extends ReactJsx.ElementClass {}
  export interface ElementAttributesProperty extends ReactJsx.ElementAttributesProperty {}
  export interface ElementChildrenAttribute extends ReactJsx.ElementChildrenAttribute {}
  export type LibraryManagedAttributes<C, P> = ReactJsx.LibraryManagedAttributes<C, P>;
  export interface IntrinsicAttributes extends ReactJsx.IntrinsicAttributes {}
  export interface IntrinsicClassAttributes<T> extends ReactJsx.IntrinsicClassAttributes<T> {}
  export interface IntrinsicElements extends Record<MarkupTag, Markup> {
    a: LinkMarkup;
    img: ImageMarkup;
    code: CodeMarkup;
    ol: OrderedListMarkup;
  }
}
