import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { deserializeError, type SerializedError } from "../../errors/ensure-error.js";
import type { ServiceErrorCode } from "../../errors/codes.js";
import type { ControlState } from "../../model/plan.js";
import type { ControlToken, RenderRuntime } from "../../model/render-runtime.js";
import { hostComponent } from "../host-component.js";
import { type PropNames, refuseUnknownProps } from "../refuse-unknown.js";
import { useRenderPlace } from "../render-place.js";
import { useControl } from "../use-control.js";
import { Contained, thrownInPart } from "./Contained.js";
import { standingFor } from "../standing-for.js";
import { wrongProps } from "../wrong-props.js";

/** Props of `TryCatchFinally`. */
export interface TryCatchFinallyProps {
  key?: ElementKey | undefined;
  /** Names the block's stored state. @default made of the place in the tree */
  id?: string;
  /** The part that may fail. */
  try: WorkflowNode;
  /**
   * The reaction to a failure in `try`: an element, or a function that makes one of the error. The `code` of
   * an error without one of its own is `TASK_FAILED`.
   */
  catch?: WorkflowNode | ((error: Error & { code: ServiceErrorCode }) => WorkflowNode);
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
      /** Phase that a function `catch` was called for, or not called. */
      phase?: string | undefined;
      children: WorkflowNode;
    }) => WorkflowElement
  >("TryCatchFinally");
const TryElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("TryPart");
const CatchElement =
  hostComponent<
    (props: {
      /** The error of its rendering. */
      thrown?: SerializedError;
      children?: WorkflowNode;
    }) => WorkflowElement
  >("CatchPart");
const FinallyElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("FinallyPart");

/**
 * Contains failures of the tasks in `try`.
 *
 * @throws INVALID_INPUT when it has children, or no `try`
 * @example
 * <TryCatchFinally
 *   try={<Task id="deploy" output={outputs.deploy}>{deploy}</Task>}
 *   catch={(error) => <Task id="report" output={outputs.report}>{{ message: error.message }}</Task>}
 * />
 * @see `docs/components/try-catch-finally.md`
 */
export function TryCatchFinally(props: TryCatchFinallyProps): WorkflowElement {
  checkParts(props);
  refuseUnknownProps("TryCatchFinally", props, BLOCK_PROPS);
  const { id, catchErrors, skipIf } = props;
  const place = useRenderPlace("<TryCatchFinally>");
  const { token, state } = useControl(id, place);
  const isFunction = typeof props.catch === "function";
  const phase = state?.kind === "scope" ? state.phase : "body";
  return standingFor(
    props,
    <BlockElement
      id={id}
      token={token}
      catchErrors={catchErrors}
      skipIf={skipIf}
      hasCatch={isPresent(props.catch)}
      phase={isFunction ? (token.id === undefined ? "unknown" : phase) : undefined}
    >
      <TryElement>{props.try}</TryElement>
      {renderCatch(props, place.runtime, state)}
      {isPresent(props.finally) && <FinallyElement>{props.finally}</FinallyElement>}
    </BlockElement>,
  );
}

function checkParts(props: TryCatchFinallyProps): void {
  const problem = "children" in props ? "has children" : "try" in props ? undefined : "has no try";
  if (problem === undefined) return;
  throw wrongProps("TryCatchFinally", props, `${problem}; its parts are the props try, catch and finally.`);
}

/** The catch part, or what was thrown instead. */
function renderCatch(
  props: TryCatchFinallyProps,
  runtime: RenderRuntime,
  state: ControlState | undefined,
): WorkflowNode {
  const { catch: handler, catchErrors } = props;
  if (!isPresent(handler)) return null;
  if (typeof handler !== "function") return contained(handler);
  const error = caughtError(state, catchErrors);
  if (error === undefined) return null;
  try {
    const { code = "TASK_FAILED" } = error;
    return contained(handler(Object.assign(deserializeError(error), { code })));
  } catch (thrown) {
    return <CatchElement thrown={thrownInPart(thrown, runtime, "TASK_FAILED")} />;
  }
}

function contained(recovery: WorkflowNode): WorkflowElement {
  return (
    <Contained
      part={<CatchElement>{recovery}</CatchElement>}
      instead={(thrown) => <CatchElement thrown={thrown} />}
    />
  );
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
