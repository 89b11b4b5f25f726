import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { OutputRow, OutputTarget, RowOfTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import { Sequence } from "../structure/Sequence.js";
import { useCtx } from "../use-ctx.js";
import type { OrderProps } from "./task-props.js";
import { standingFor } from "../standing-for.js";
import { wrongProps } from "../wrong-props.js";

/** Props of `Signal`. */
export interface SignalProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> extends OrderProps {
  /** Also the name of the signal. */
  id: string;
  /** The output whose schema the data must fit, and that takes it. */
  schema: T;
  /** Only a signal with this correlation id matches; absent matches only signals without one. */
  correlationId?: string;
  /** Milliseconds to wait. @default for ever */
  timeoutMs?: number;
  /** `continue` continues without a row, `skip` marks the node as skipped. @default "fail" */
  onTimeout?: "fail" | "skip" | "continue";
  /** Later siblings do not wait for the signal. @default false */
  async?: boolean;
  /** The content once the signal is there: a function of its data. */
  children?: (data: OutputRow<RowOfTarget<S, T>>) => WorkflowNode;
}

/** `Signal`, typed by the module's schemas. */
export type SignalComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: SignalProps<S, T>,
) => WorkflowElement;

const SignalElement = hostComponent<(props: Omit<SignalProps, "children">) => WorkflowElement>("Signal");

/**
 * Waits for the signal named by `id`.
 *
 * @throws INVALID_INPUT when its children are no function
 * @example
 * <Signal id="paid" schema={outputs.payment} timeoutMs={3_600_000} onTimeout="skip">
 *   {(payment) => <Task id="ship" output={outputs.shipment}>{() => ship(payment)}</Task>}
 * </Signal>
 * @see `docs/components/signal.md`
 */
export const Signal = ((given: SignalProps): WorkflowElement => {
  const { children, ...props } = given;
  // Else it would only show once the signal is there, maybe weeks later.
  if (children !== undefined && typeof children !== "function") {
    throw wrongProps(
      "Signal",
      given,
      "has children that are no function; expected one of the signal's data.",
    );
  }
  const ctx = useCtx();
  // The element itself reports a wrong id.
  const data = typeof props.id === "string" ? ctx.outputMaybe(props.schema, { nodeId: props.id }) : undefined;
  const signal = standingFor(given, <SignalElement {...props} />);
  if (children === undefined) return signal;
  return (
    <Sequence>
      {signal}
      {data !== undefined && <Sequence skipIf={props.skipIf ?? false}>{children(data)}</Sequence>}
    </Sequence>
  );
}) as SignalComponent;
