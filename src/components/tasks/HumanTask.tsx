import type { ReactElement, ReactNode } from "react";
import type { ZodObject } from "zod";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { OrderProps } from "./task-props.js";

export interface HumanTaskProps<S extends SchemaMap = SchemaMap> extends OrderProps {
  /** @default "human-task" */
  id?: string;
  output: OutputTarget<S>;
  /** Validates instead of the output's own schema. */
  outputSchema?: ZodObject;
  /** The question: text, or elements that become Markdown. */
  prompt: ReactNode;
  /** Answers that may be refused before the task fails. @default 10 */
  maxAttempts?: number;
  /** Later siblings do not wait for the answer. @default false */
  async?: boolean;
  /** Milliseconds to wait. @default for ever */
  timeoutMs?: number;
  /** @default false */
  continueOnFail?: boolean;
}

export type HumanTaskComponent<S extends SchemaMap = SchemaMap> = (props: HumanTaskProps<S>) => ReactElement;

const HumanTaskElement =
  hostComponent<(props: Omit<HumanTaskProps, "prompt"> & { children: ReactNode }) => ReactElement>(
    "HumanTask",
  );

/** Asks a person to fill in the row. */
export function HumanTask({ prompt, id = "human-task", ...props }: HumanTaskProps): ReactElement {
  return (
    <HumanTaskElement id={id} {...props}>
      {prompt}
    </HumanTaskElement>
  );
}
