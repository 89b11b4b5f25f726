import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import {
  deserializeError,
  ensureError,
  type SerializedError,
  serializeError,
} from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { ControlState } from "../../model/plan.js";
import type { ControlToken } from "../../model/render-runtime.js";
import { hostComponent } from "../host-component.js";
import { type PropNames, refuseUnknownProps } from "../refuse-unknown.js";
import { useRuntimeScope } from "../runtime-scope.js";
import { useControl } from "../use-control.js";

export interface TryCatchFinallyProps {
  key?: ElementKey;
  /** Names the block's stored state. @default made of the element's position in the tree */
  id?: string;
  try: WorkflowNode;
  /** What to do after a failure in `try`: an element, or a function that makes one of the error. */
  catch?: WorkflowNode | ((error: Error) => WorkflowNode);
  /** Codes of the errors that `catch` is for. @default all errors */
  catchErrors?: readonly string[];
  /** Runs in any case, also when `catch` fails. */
  finally?: WorkflowNode;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

const BLOCK_PROPS: PropNames<TryCatchFinallyProps> = {
  key: true,
  id: true,
  try: true,
  catch: true,
  catchErrors: true,
  finally: true,
  skipIf: true,
};

const BlockElement =
  hostComponent<
    (props: {
      id?: string | undefined;
      token: ControlToken;
      catchErrors?: readonly string[] | undefined;
      skipIf?: boolean | undefined;
      hasCatch: boolean;
      /** What a function `catch` threw. */
      catchError?: SerializedError | undefined;
      /** Phase that a function `catch` was called for, or not called. */
      phase?: string | undefined;
      children: WorkflowNode;
    }) => WorkflowElement
  >("TryCatchFinally");
const TryElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("TryPart");
const CatchElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("CatchPart");
const FinallyElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("FinallyPart");

/**
 * Contains failures of the tasks in `try`.
 *
 * @throws ServiceError INVALID_INPUT when it has children, or no `try`
 */
export function TryCatchFinally(props: TryCatchFinallyProps): WorkflowElement {
  checkParts(props);
  refuseUnknownProps("TryCatchFinally", props, BLOCK_PROPS);
  const { id, catchErrors, skipIf } = props;
  const { token, state } = useControl(id, useRuntimeScope("<TryCatchFinally>"));
  const isFunction = typeof props.catch === "function";
  const phase = state?.kind === "scope" ? state.phase : "body";
  const recovery = renderCatch(props, state);
  return (
    <BlockElement
      id={id}
      token={token}
      catchErrors={catchErrors}
      skipIf={skipIf}
      hasCatch={isPresent(props.catch)}
      catchError={recovery.thrown}
      phase={isFunction ? (token.id === undefined ? "unknown" : phase) : undefined}
    >
      <TryElement>{props.try}</TryElement>
      {recovery.part}
      {isPresent(props.finally) && <FinallyElement>{props.finally}</FinallyElement>}
    </BlockElement>
  );
}

function checkParts(props: TryCatchFinallyProps): void {
  const problem = "children" in props ? "has children" : "try" in props ? undefined : "has no try";
  if (problem === undefined) return;
  throw new ServiceError(
    "INVALID_INPUT",
    `<TryCatchFinally> ${problem}; its parts are the props try, catch and finally.`,
  );
}

/** The catch part, or what a function threw instead of making one. */
function renderCatch(
  props: TryCatchFinallyProps,
  state: ControlState | undefined,
): { part: WorkflowNode; thrown?: SerializedError } {
  const { catch: handler, catchErrors } = props;
  if (!isPresent(handler)) return { part: null };
  if (typeof handler !== "function") return { part: <CatchElement>{handler}</CatchElement> };
  const error = caughtError(state, catchErrors);
  if (error === undefined) return { part: null };
  try {
    return { part: <CatchElement>{handler(deserializeError(error))}</CatchElement> };
  } catch (thrown) {
    if (!isFailing(state)) throw thrown;
    const failure = serializeError(ensureError(thrown));
    return { part: null, thrown: { ...failure, code: failure.code ?? "TASK_FAILED" } };
  }
}

/** The block can still fail by its catch, or has: what it throws then is no error of the frame. */
function isFailing(state: ControlState | undefined): boolean {
  return state?.kind === "scope" && (state.phase === "recover" || state.broken === "recover");
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
