import type { WorkflowElement } from "../../util/element.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";

/** Props of `WaitForEvent`. */
export interface WaitForEventProps<S extends SchemaMap = SchemaMap> extends OrderProps {
  /** Address of the node; unique in the workflow. */
  id: string;
  /** Name of the event. */
  event: string;
  /** Only an event with this correlation id matches; absent matches only events without one. */
  correlationId?: string;
  /** Takes the event's data. */
  output: OutputTarget<S>;
  /** Validates instead of the output's own schema. @default the output's schema */
  outputSchema?: ObjectSchema;
  /** Milliseconds to wait. @default for ever */
  timeoutMs?: number;
  /** `continue` continues without a row, `skip` marks the node as skipped. @default "fail" */
  onTimeout?: "fail" | "skip" | "continue";
  /** Later siblings do not wait for the event. @default false */
  async?: boolean;
}

/** `WaitForEvent`, typed by the module's schemas. */
export type WaitForEventComponent<S extends SchemaMap = SchemaMap> = (
  props: WaitForEventProps<S>,
) => WorkflowElement;

/**
 * Waits for an event from outside.
 * @example
 * <WaitForEvent id="paid" event="payment" correlationId={orderId} output={outputs.payment} />
 * @see `docs/components/wait-for-event.md`
 */
export const WaitForEvent = hostComponent<WaitForEventComponent>("WaitForEvent");
