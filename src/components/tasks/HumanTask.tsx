import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";

export interface HumanTaskProps<S extends SchemaMap = SchemaMap> extends OrderProps {
  /** @default "human-task" */
  id?: string;
  output: OutputTarget<S>;
  /** Validates instead of the output's own schema. */
  outputSchema?: ObjectSchema;
  /** The question: text, or elements that become Markdown. */
  prompt: WorkflowNode;
  /** Answers that may be refused before the task fails. @default 10 */
  maxAttempts?: number;
  /** Later siblings do not wait for the answer. @default false */
  async?: boolean;
  /** Milliseconds to wait. @default for ever */
  timeoutMs?: number;
  /** @default false */
  continueOnFail?: boolean;
}

export type HumanTaskComponent<S extends SchemaMap = SchemaMap> = (
  props: HumanTaskProps<S>,
) => WorkflowElement;

const HumanTaskElement =
  hostComponent<(props: Omit<HumanTaskProps, "prompt"> & { children: WorkflowNode }) => WorkflowElement>(
    "HumanTask",
  );

/** Asks a person to fill in the row. */
export function HumanTask({ prompt, id = "human-task", ...props }: HumanTaskProps): WorkflowElement {
  return (
    <HumanTaskElement id={id} {...props}>
      {prompt}
    </HumanTaskElement>
  );
}
