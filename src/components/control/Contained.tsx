import { Component } from "react";
import { type SerializedError, serializeError } from "../../errors/ensure-error.js";
import type { RenderRuntime } from "../../model/render-runtime.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { type RenderPlace, useRenderPlace } from "../render-place.js";

interface ContainedProps {
  /** The part that may throw while it renders. */
  part: WorkflowNode;
  /** The content in its place then. */
  instead(thrown: SerializedError): WorkflowNode;
}

/**
 * A part of a block that may never be needed: a component in it that throws does not fail the frame.
 * The scheduler gets its error, and fails the part when it comes to it.
 */
export function Contained(props: ContainedProps): WorkflowElement {
  return <Boundary {...props} frame={useRenderPlace("<SagaStep>")} />;
}

/** The error of a part, with a code; `code` is for errors that have none. */
export function thrownInPart(thrown: unknown, { rootDir }: RenderRuntime, code: string): SerializedError {
  const failure = serializeError(thrown, rootDir);
  return { ...failure, code: failure.code ?? code };
}

interface BoundaryProps extends ContainedProps {
  /** Another one in each frame, where the part gets another chance: it may have rendered before its rows existed. */
  frame: RenderPlace;
}

interface BoundaryState {
  frame: RenderPlace | null;
  failure: { thrown: unknown } | null;
}

class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { frame: null, failure: null };
  #reported: SerializedError | null = null;

  static getDerivedStateFromProps({ frame }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return state.frame === frame ? null : { frame, failure: null };
  }

  static getDerivedStateFromError(thrown: unknown): Pick<BoundaryState, "failure"> {
    return { failure: { thrown } };
  }

  override render(): never {
    const { failure } = this.state;
    const { part, instead } = this.props;
    return (failure === null ? part : instead(this.#notify(failure.thrown))) as never;
  }

  /** The same object as long as it says the same: the stack alone is no change of the plan. */
  #notify(thrown: unknown): SerializedError {
    const failure = thrownInPart(thrown, this.props.frame.runtime, "WORKFLOW_RENDER_FAILED");
    const reported = this.#reported;
    if (reported !== null && reported.message === failure.message && reported.code === failure.code)
      return reported;
    this.#reported = failure;
    return failure;
  }
}

/** React's own types of components ask for React's type of nodes. */
const Boundary = ErrorBoundary as unknown as (props: BoundaryProps) => WorkflowElement;
