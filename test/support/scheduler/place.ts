import { controlId, type EnclosingLoop, nodeIdInside } from "../../../src/model/address.js";
import type { SerializedError } from "../../../src/errors/ensure-error.js";
import type { ControlState, LoopPlan, PlanNode, SagaPlan, TaskPlan } from "../../../src/model/plan.js";
import type { EventWait, TaskDescriptor, TimerWait } from "../../../src/model/task.js";

/** What a plan may read of its run, as a component reads `ctx`. */
export interface PlanView {
  control(id: string): ControlState | undefined;
  /** The task has an output row. */
  has(nodeId: string, iteration?: number): boolean;
}

export type PlanOf = (at: Place) => PlanNode;

export interface LoopProps {
  until?: boolean | ((inside: Place) => boolean);
  /** Default 5. */
  maxIterations?: number;
  onMaxReached?: LoopPlan["onMaxReached"];
  continueAsNewEvery?: number;
  skipIf?: boolean;
}

export interface TryParts {
  try: PlanNode;
  /** A function is called once the error is known, as a function child of the component is. */
  catch?: PlanNode | ((error: SerializedError) => PlanNode | undefined);
  catchErrors?: string[];
  finally?: PlanNode;
}

/**
 * A place in a tree that is being rendered: builds plan nodes with the addresses
 * that the extractor gives to elements inside the same loops.
 */
export class Place {
  readonly #view: PlanView;
  readonly #loops: readonly EnclosingLoop[];
  readonly #skip: boolean;

  constructor(view: PlanView, loops: readonly EnclosingLoop[] = [], skip = false) {
    this.#view = view;
    this.#loops = loops;
    this.#skip = skip;
  }

  /** Of the innermost loop. */
  get iteration(): number {
    return this.#loops.at(-1)?.iteration ?? 0;
  }

  has(id: string, iteration = this.iteration): boolean {
    return this.#view.has(this.address(id), iteration);
  }

  /** Node id of a task with this id here. */
  address(id: string): string {
    return nodeIdInside(id, this.#loops);
  }

  task(id: string, props: Partial<TaskDescriptor> = {}): TaskPlan {
    const loop = this.#loops.at(-1);
    return {
      kind: "task",
      task: {
        nodeId: this.address(id),
        ordinal: 0,
        iteration: this.iteration,
        kind: "compute",
        outputTable: null,
        outputTableName: "",
        outputKey: "result",
        needsApproval: false,
        retries: Number.POSITIVE_INFINITY,
        timeoutMs: null,
        heartbeatTimeoutMs: null,
        continueOnFail: false,
        fingerprint: id,
        ...(loop !== undefined && { ralphId: loop.controlId }),
        ...props,
        skipIf: this.#skip || props.skipIf === true,
      },
    };
  }

  approval(id: string, props: Partial<TaskDescriptor> = {}): TaskPlan {
    return this.task(id, {
      kind: "approval",
      approvalMode: "decision",
      approvalOnDeny: "fail",
      retries: 0,
      ...props,
    });
  }

  event(id: string, wait: Partial<EventWait> = {}, props: Partial<TaskDescriptor> = {}): TaskPlan {
    return this.task(id, { kind: "event", eventWait: { name: id, onTimeout: "fail", ...wait }, ...props });
  }

  timer(id: string, timerWait: TimerWait, props: Partial<TaskDescriptor> = {}): TaskPlan {
    return this.task(id, { kind: "timer", outputKey: "", timerWait, ...props });
  }

  loop(id: string, props: LoopProps, body: PlanOf): LoopPlan {
    const address = controlId(id, this.#loops);
    const control = this.#view.control(address);
    const iteration = control?.kind === "loop" ? control.iteration : 0;
    const skip = this.#skip || props.skipIf === true;
    const inside = new Place(this.#view, [...this.#loops, { id, controlId: address, iteration }], skip);
    const { until = false, maxIterations = 5, onMaxReached = "return-last", continueAsNewEvery } = props;
    return {
      kind: "loop",
      id: address,
      iteration,
      until: typeof until === "function" ? until(inside) : until,
      maxIterations,
      onMaxReached,
      ...(continueAsNewEvery !== undefined && { continueAsNewEvery }),
      skip,
      body: body(inside),
    };
  }

  saga(id: string, onFailure: SagaPlan["onFailure"], steps: Record<string, [PlanNode, PlanNode]>): SagaPlan {
    return {
      kind: "saga",
      id: controlId(id, this.#loops),
      onFailure,
      steps: Object.entries(steps).map(([step, [action, compensation]]) => ({
        id: step,
        action,
        compensation,
      })),
    };
  }

  tryBlock(id: string, parts: TryParts): PlanNode {
    const address = controlId(id, this.#loops);
    const control = this.#view.control(address);
    const error =
      control?.kind === "scope" && control.phase !== "body" && control.handled ? control.error : undefined;
    const recover =
      typeof parts.catch === "function" ? (error && parts.catch(error)) || undefined : parts.catch;
    return {
      kind: "try",
      id: address,
      try: parts.try,
      hasCatch: parts.catch !== undefined,
      ...(recover !== undefined && { catch: recover }),
      ...(parts.catchErrors !== undefined && { catchErrors: parts.catchErrors }),
      ...(parts.finally !== undefined && { finally: parts.finally }),
    };
  }

  continueAsNew(state: unknown = undefined): PlanNode {
    return { kind: "continue-as-new", state, loopIds: this.#loops.map((loop) => loop.controlId) };
  }

  /** The same place under an element with `skipIf`. */
  skipped(): Place {
    return new Place(this.#view, this.#loops, true);
  }
}

export function sequence(...children: PlanNode[]): PlanNode {
  return { kind: "sequence", children };
}

export function parallel(...children: PlanNode[]): PlanNode {
  return { kind: "parallel", id: "parallel", children };
}

/** A group of which at most `cap` tasks run at a time. */
export function capped(cap: number, ...children: PlanNode[]): PlanNode {
  return { kind: "parallel", id: `cap-${cap}`, cap, children };
}
