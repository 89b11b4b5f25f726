import type { Key, ReactElement, ReactNode } from "react";
import { deserializeError, type SerializedError } from "../../errors/ensure-error.js";
import type { ControlState } from "../../model/plan.js";
import type { ControlToken } from "../../model/render-runtime.js";
import { hostComponent } from "../host-component.js";
import { useRuntimeScope } from "../runtime-scope.js";
import { useControl } from "../use-control.js";

export interface TryCatchFinallyProps {
  key?: Key;
  /** Names the block's stored state. @default made of the element's position in the tree */
  id?: string;
  try: ReactNode;
  /** What to do after a failure in `try`: an element, or a function that makes one of the error. */
  catch?: ReactNode | ((error: Error) => ReactNode);
  /** Codes of the errors that `catch` is for. @default all errors */
  catchErrors?: readonly string[];
  /** Runs in any case, also when `catch` fails. */
  finally?: ReactNode;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

const BlockElement =
  hostComponent<
    (props: {
      id?: string | undefined;
      token: ControlToken;
      catchErrors?: readonly string[] | undefined;
      skipIf?: boolean | undefined;
      hasCatch: boolean;
      /** Phase that a function `catch` was called for, or not called. */
      phase?: string | undefined;
      children: ReactNode;
    }) => ReactElement
  >("TryCatchFinally");
const TryElement = hostComponent<(props: { children: ReactNode }) => ReactElement>("TryPart");
const CatchElement = hostComponent<(props: { children: ReactNode }) => ReactElement>("CatchPart");
const FinallyElement = hostComponent<(props: { children: ReactNode }) => ReactElement>("FinallyPart");

/** Contains failures of the tasks in `try`. */
export function TryCatchFinally(props: TryCatchFinallyProps): ReactElement {
  const { id, catchErrors, skipIf } = props;
  const { token, state } = useControl(id, useRuntimeScope("<TryCatchFinally>"));
  const isFunction = typeof props.catch === "function";
  const phase = state?.kind === "scope" ? state.phase : "body";
  return (
    <BlockElement
      id={id}
      token={token}
      catchErrors={catchErrors}
      skipIf={skipIf}
      hasCatch={isPresent(props.catch)}
      phase={isFunction ? (token.id === undefined ? "unknown" : phase) : undefined}
    >
      <TryElement>{props.try}</TryElement>
      {renderCatch(props, state)}
      {isPresent(props.finally) && <FinallyElement>{props.finally}</FinallyElement>}
    </BlockElement>
  );
}

function renderCatch(props: TryCatchFinallyProps, state: ControlState | undefined): ReactNode {
  const { catch: handler, catchErrors } = props;
  if (!isPresent(handler)) return null;
  if (typeof handler !== "function") return <CatchElement>{handler}</CatchElement>;
  const error = caughtError(state, catchErrors);
  return error !== undefined && <CatchElement>{handler(deserializeError(error))}</CatchElement>;
}

/** The error that `catch` is or was called with. */
function caughtError(
  state: ControlState | undefined,
  catchErrors: readonly string[] | undefined,
): SerializedError | undefined {
  if (state?.kind !== "scope" || state.phase === "body") return undefined;
  // An unhandled error after the body is one that `catch` or `finally` threw; its cause is the caught one.
  const error = state.handled === false ? state.error?.cause : state.error;
  if (error === undefined || catchErrors === undefined) return error;
  return error.code !== undefined && catchErrors.includes(error.code) ? error : undefined;
}

function isPresent<T>(value: T): value is Exclude<T, undefined | null | boolean> {
  return value !== undefined && value !== null && typeof value !== "boolean";
}
