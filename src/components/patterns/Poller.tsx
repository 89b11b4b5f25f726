import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { AgentInput } from "../../model/agent.js";
import type { OutputTarget, ReturnOfTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import { Loop } from "../structure/Loop.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { Timer } from "../tasks/Timer.js";
import {
  type Checked,
  anything,
  callback,
  checked,
  flag,
  name,
  oneOf,
  required,
  withDefault,
} from "../../options/option-rules.js";
import { useCtx } from "../use-ctx.js";
import { agent, checkProps, limit, output, type PropRules } from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { isFlag, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";

/** Props of `Poller`. */
export interface PollerProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> {
  /** Prefix of the ids `<id>-loop`, `<id>-delay`, `<id>-check`. @default "poll" */
  id?: string;
  /** A function that makes the row, or an agent or a chain of them that is asked what stands between the tags. */
  check:
    | AgentInput
    | readonly AgentInput[]
    | ((
        inputs: Record<never, never>,
        runtime: TaskRuntime,
      ) => ReturnOfTarget<S, T> | Promise<ReturnOfTarget<S, T>>);
  /** Takes the row of each check; `satisfied: true` in it ends the polling. */
  checkOutput: T;
  /** Checks at most. @default 30 */
  maxAttempts?: number;
  /** How the delay grows: not at all, by `intervalMs` each time, or twofold each time. @default "fixed" */
  backoff?: "fixed" | "linear" | "exponential";
  /** Milliseconds before the second check. @default 5000 */
  intervalMs?: number;
  /** The result of `maxAttempts` attempts without success. @default "fail" */
  onTimeout?: "fail" | "return-last";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The prompt, if `check` is an agent. */
  children?: WorkflowNode;
}

/** `Poller`, typed by the module's schemas. */
export type PollerComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: PollerProps<S, T & HoldsFields<S, T, { satisfied: boolean }>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "poll"),
  check: required(checked("a function or an agent", (value) => callback.fits(value) || agent.fits(value))),
  checkOutput: output,
  maxAttempts: withDefault(limit, 30),
  backoff: withDefault(oneOf(["fixed", "linear", "exponential"]), "fixed"),
  intervalMs: withDefault(
    checked(
      "a number of milliseconds greater than 0",
      (value) => Number.isFinite(value) && (value as number) > 0,
    ),
    5_000,
  ),
  onTimeout: withDefault(oneOf(["fail", "return-last"]), "fail"),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<PollerProps>;

/**
 * Checks again and again, with a delay in between, until the row says `satisfied: true`.
 * @example
 * <Poller id="deploy" check={async () => ({ satisfied: await isUp() })} checkOutput={outputs.check} intervalMs={10_000} />
 * @see `docs/components/poller.md`
 */
export const Poller = ((given: PollerProps): WorkflowElement => {
  const { composite, props } = checkProps("Poller", given, RULES);
  const { id, check, checkOutput, maxAttempts, onTimeout, skipIf } = props;
  const checkSchema = useNeededField(checkOutput, SATISFIED);
  const row = useCtx().outputMaybe(checkOutput, { nodeId: `${id}-check` });
  const satisfied = row !== undefined && readField(composite, row, SATISFIED);
  return partsOf(
    composite,
    // Between this loop and one around it, which may not hold another directly.
    <Sequence skipIf={skipIf}>
      <Loop id={`${id}-loop`} until={satisfied} maxIterations={maxAttempts} onMaxReached={onTimeout}>
        <Sequence>
          <PollerDelay {...props} />
          {typeof check === "function" ? (
            <Task id={`${id}-check`} output={checkOutput} {...checkSchema} cache={false}>
              {check}
            </Task>
          ) : (
            <Task id={`${id}-check`} output={checkOutput} {...checkSchema} agent={check} cache={false}>
              {props.children}
            </Task>
          )}
        </Sequence>
      </Loop>
    </Sequence>,
  );
}) as PollerComponent;

const SATISFIED = { prop: "checkOutput", field: "satisfied", ...isFlag };

const GROWTH = {
  fixed: () => 1,
  linear: (iteration: number) => iteration,
  exponential: (iteration: number) => 2 ** (iteration - 1),
};

function PollerDelay({
  id,
  intervalMs,
  backoff,
}: Checked<PollerProps, typeof RULES>): WorkflowElement | null {
  const { iteration } = useCtx();
  if (iteration === 0) return null;
  return <Timer id={`${id}-delay`} duration={intervalMs * GROWTH[backoff](iteration)} />;
}
