/**
 * React's element types as far as the public types need them, so that a project that uses no hook of
 * React's needs no `@types/react`, and any version of it fits.
 */

/** As React's `Key`. */
export type ElementKey = string | number | bigint;

/** As React's `ReactElement`: what `<Task …/>` is. */
export interface WorkflowElement {
  // biome-ignore lint/suspicious/noExplicitAny: an element is passed on to React's types and back, which say any as well.
  readonly type: any;
  // biome-ignore lint/suspicious/noExplicitAny: as `type`.
  readonly props: any;
  readonly key: string | null;
}

/** As React's `ReactNode`: whatever a component may return or contain. */
export type WorkflowNode =
  | WorkflowElement
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Iterable<WorkflowNode>
  | Promise<WorkflowNode>;
