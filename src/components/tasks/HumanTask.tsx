import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { rememberComposite } from "../../model/composite.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";
import { standingFor } from "../standing-for.js";

/** Props of `HumanTask`. */
export interface HumanTaskProps<S extends SchemaMap = SchemaMap> extends OrderProps {
  /** Address of the node; unique in the workflow. @default "human-task" */
  id?: string;
  /** Takes the answer. */
  output: OutputTarget<S>;
  /** Validates instead of the output's own schema. @default the output's schema */
  outputSchema?: ObjectSchema;
  /** The question: text, or elements that become Markdown. */
  prompt: WorkflowNode;
  /** Answers that may be refused before the task fails. @default 10 */
  maxAttempts?: number;
  /** Later siblings do not wait for the answer. @default false */
  async?: boolean;
  /** Milliseconds to wait. @default for ever */
  timeoutMs?: number;
  /** A failure does not stop what comes after. @default false */
  continueOnFail?: boolean;
}

/** `HumanTask`, typed by the module's schemas. */
export type HumanTaskComponent<S extends SchemaMap = SchemaMap> = (
  props: HumanTaskProps<S>,
) => WorkflowElement;

const HumanTaskElement =
  hostComponent<(props: Omit<HumanTaskProps, "prompt"> & { children: WorkflowNode }) => WorkflowElement>(
    "HumanTask",
  );

/**
 * Asks a person to fill in the row.
 * @example
 * <HumanTask id="address" output={outputs.address} prompt="Where shall it be sent?" />
 * @see `docs/components/human-task.md`
 */
export function HumanTask(props: HumanTaskProps): WorkflowElement {
  const { prompt, id = "human-task", ...rest } = props;
  const element = (
    <HumanTaskElement id={id} {...rest}>
      {prompt}
    </HumanTaskElement>
  );
  // The error for two with the default id then names the prop to set.
  rememberComposite(element.props as object, { tag: "HumanTask", props: { ...props } });
  return standingFor(props, element);
}
