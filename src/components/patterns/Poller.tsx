import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentInput } from "../../model/agent.js";
import type { OutputTarget, ReturnOfTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import { Loop } from "../structure/Loop.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { Timer } from "../tasks/Timer.js";
import { type PropNames, refuseUnknownProps } from "../refuse-unknown.js";
import { useCtx } from "../use-ctx.js";

/** Props of `Poller`. */
export interface PollerProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> {
  /** Prefix of the ids `<id>-loop`, `<id>-delay`, `<id>-check`. @default "poll" */
  id?: string;
  /** A function that makes the row, or an agent that is asked what stands between the tags. */
  check:
    | AgentInput
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
  /** What reaching `maxAttempts` means. @default "fail" */
  onTimeout?: "fail" | "return-last";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The prompt, if `check` is an agent. */
  children?: WorkflowNode;
}

export type PollerComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: PollerProps<S, T>,
) => WorkflowElement;

const POLLER_PROPS: PropNames<PollerProps> = {
  id: true,
  check: true,
  checkOutput: true,
  maxAttempts: true,
  backoff: true,
  intervalMs: true,
  onTimeout: true,
  skipIf: true,
  children: true,
};

/**
 * Checks again and again, with a delay in between, until the row says `satisfied: true`.
 * @example
 * <Poller id="deploy" check={async () => ({ satisfied: await isUp() })} checkOutput={outputs.check} intervalMs={10_000} />
 * @see `docs/components/poller.md`
 */
export const Poller = function Poller(props: PollerProps): WorkflowElement {
  const { id = "poll", check, checkOutput, maxAttempts = 30, onTimeout = "fail", skipIf = false } = props;
  refuseUnknownProps("Poller", props, POLLER_PROPS);
  checkLimits(props);
  const row = useCtx().latest(checkOutput, `${id}-check`) as { satisfied?: unknown } | undefined;
  return (
    // Between this loop and one around it, which may not hold another directly.
    <Sequence>
      <Loop
        id={`${id}-loop`}
        until={row?.satisfied === true}
        maxIterations={maxAttempts}
        onMaxReached={onTimeout}
        skipIf={skipIf}
      >
        <Sequence>
          <Delay {...props} id={id} />
          {typeof check === "function" ? (
            <Task id={`${id}-check`} output={checkOutput}>
              {check}
            </Task>
          ) : (
            <Task id={`${id}-check`} output={checkOutput} agent={check}>
              {props.children}
            </Task>
          )}
        </Sequence>
      </Loop>
    </Sequence>
  );
} as PollerComponent;

/** Here, under the names that the author wrote; the elements inside would complain under theirs, and later. */
function checkLimits({ id = "poll", maxAttempts = 30, intervalMs = 5_000, backoff = "fixed" }: PollerProps) {
  const isCount = maxAttempts === Number.POSITIVE_INFINITY || Number.isInteger(maxAttempts);
  if (!isCount || maxAttempts < 1) throw wrong(id, "maxAttempts", maxAttempts, "an integer of at least 1");
  if (!Number.isFinite(intervalMs) || intervalMs <= 0) {
    throw wrong(id, "intervalMs", intervalMs, "a number of milliseconds greater than 0");
  }
  if (!Object.hasOwn(GROWTH, backoff)) {
    throw wrong(id, "backoff", backoff, `one of ${Object.keys(GROWTH).join(", ")}`);
  }
}

function wrong(id: string, prop: string, value: unknown, expected: string): ServiceError {
  const message = `<Poller id="${id}"> has ${prop}={${String(value)}}; expected ${expected}.`;
  return new ServiceError("INVALID_INPUT", message, { details: { tag: "Poller", id, prop } });
}

const GROWTH = {
  fixed: () => 1,
  linear: (iteration: number) => iteration,
  exponential: (iteration: number) => 2 ** (iteration - 1),
};

function Delay({ id, intervalMs = 5_000, backoff = "fixed" }: PollerProps): WorkflowElement | null {
  const { iteration } = useCtx();
  if (iteration === 0) return null;
  return <Timer id={`${id}-delay`} duration={intervalMs * GROWTH[backoff](iteration)} />;
}
