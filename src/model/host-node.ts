/**
 * The tree a frame renders to, before it has a meaning: elements with their
 * props. The renderer builds it with React, an external workflow from JSON;
 * the graph reads it.
 */
export type HostNode = HostElement | HostText;

export interface HostElement {
  kind: "element";
  tag: string;
  props: HostProps;
  parent: HostElement | null;
  children: HostNode[];
  /** Where the element stands (`src/model/place.ts`), for its default id. Empty for elements that have an `id`. */
  path: string;
  /** Grows when this element or anything below it changed in a way that may change the plan. */
  revision: number;
  /** The tree reader's memory of the element from frame to frame. */
  memo: unknown;
}

export interface HostText {
  kind: "text";
  text: string;
  parent: HostElement | null;
}

export type HostProps = Readonly<Record<string, unknown>>;

/** The root of a tree. Its children are what the build function returned. */
export interface HostRoot {
  readonly element: HostElement;
  /**
   * Elements whose content alone changed since the last {@link takeContentChanges}:
   * a new function, row or prompt of a task, other words on a label.
   */
  takeContentChanges(): Iterable<HostElement>;
  /** The text and markup between an element's tags as Markdown. */
  promptOf(element: HostElement): string;
}

/**
 * Tags of the workflow's own elements. A tag that starts with a lower-case
 * letter is prompt markup and belongs inside a task.
 */
export const HOST_TAGS = [
  "Workflow",
  "Sequence",
  "Parallel",
  "MergeQueue",
  "Branch",
  "Loop",
  "Worktree",
  "Aspects",
  "Saga",
  "SagaStep",
  "SagaAction",
  "SagaCompensation",
  "TryCatchFinally",
  "TryPart",
  "CatchPart",
  "FinallyPart",
  "InlineSubflow",
  "SubflowResult",
  "ContinueAsNew",
  "Task",
  "Approval",
  "Signal",
  "WaitForEvent",
  "Timer",
  "HumanTask",
  "Subflow",
  "SandboxRun",
  "SandboxEnd",
] as const;

export type HostTag = (typeof HOST_TAGS)[number];
