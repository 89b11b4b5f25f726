import { type TaskKey, taskKey } from "../../../src/model/address.js";
import type { PlanNode } from "../../../src/model/plan.js";
import type { TaskDescriptor } from "../../../src/model/task.js";
import type { SchedulerState } from "../../../src/scheduler/state.js";

/**
 * Says by a walk over the plan, without the scheduler's graph, what has to be
 * done before a task may start. Slow and plain on purpose.
 */
export class OrderOracle {
  readonly #state: SchedulerState;
  readonly #places = new Map<TaskKey, TaskPlace>();
  readonly #ofNode = new Map<string, TaskPlace>();

  constructor(plan: PlanNode, state: SchedulerState) {
    this.#state = state;
    this.#walk(plan, { conditions: [], caps: [], loops: [], parts: [] });
  }

  get tasks(): TaskPlace[] {
    return [...this.#places.values()];
  }

  place(key: TaskKey): TaskPlace | undefined {
    return this.#places.get(key);
  }

  /** What keeps the task from starting; empty if only caps may. */
  obstacles(place: TaskPlace): string[] {
    const found = place.conditions.flatMap((condition) => condition() ?? []);
    for (const id of place.task.dependsOn ?? []) {
      const dependency = this.#ofNode.get(id);
      if (dependency !== undefined && !this.#isMet(dependency, place)) found.push(`it depends on ${id}`);
    }
    return found;
  }

  #isMet(dependency: TaskPlace, dependent: TaskPlace): boolean {
    const { task } = dependency;
    const isLaterPart = dependency.parts.some(({ id, part }) =>
      dependent.parts.some((other) => other.id === id && PARTS.indexOf(part) < PARTS.indexOf(other.part)),
    );
    if (isLaterPart) return true;
    const left = dependency.loops.find((loop, depth) => loop !== dependent.loops[depth]);
    if (left !== undefined) return this.#isLoopDone(left);
    const state = this.#rowState(taskKey(task));
    if (state === "finished" || state === "skipped") return true;
    if (state !== "failed") return false;
    return task.continueOnFail || dependency.parts.some(({ id }) => this.#isHandled(id));
  }

  #isHandled(id: string): boolean {
    const control = this.#scope(id);
    return control?.phase === "done" && control.handled === true;
  }

  #walk(plan: PlanNode, here: AncestorContext): void {
    const inside = (condition: Condition, part?: ScopePlace): AncestorContext => ({
      ...here,
      conditions: [...here.conditions, condition],
      parts: part === undefined ? here.parts : [...here.parts, part],
    });
    switch (plan.kind) {
      case "task": {
        const { task } = plan;
        const place = { task, index: this.#places.size, ...here };
        this.#places.set(taskKey(task), place);
        this.#ofNode.set(task.nodeId, place);
        return;
      }
      case "sequence":
        return plan.children.forEach((child, index) => {
          const before = plan.children.slice(0, index);
          this.#walk(
            child,
            inside(() =>
              before.every((other) => this.#isPassed(other)) ? undefined : "a sequence before it",
            ),
          );
        });
      case "parallel": {
        const { cap } = plan;
        const group = cap === undefined ? here : { ...here, caps: [...here.caps, { id: plan.id, cap }] };
        return plan.children.forEach((child) => this.#walk(child, group));
      }
      case "loop": {
        const onTime = inside(() =>
          this.#iteration(plan.id) === plan.iteration ? undefined : "an old iteration",
        );
        return this.#walk(plan.body, { ...onTime, loops: [...here.loops, plan.id] });
      }
      case "saga":
        return plan.steps.forEach(({ id, action, compensation }, index) => {
          const before = plan.steps.slice(0, index).map((step) => step.action);
          const after = plan.steps.slice(index + 1).map((step) => step.compensation);
          this.#walk(
            action,
            inside(
              () => {
                if (!this.#isInBody(plan.id)) return "the saga is past its actions";
                return before.every((other) => this.#isPassed(other)) ? undefined : "an action before it";
              },
              { id: plan.id, part: "body" },
            ),
          );
          this.#walk(
            compensation,
            inside(
              () => {
                const control = this.#scope(plan.id);
                if (control?.phase !== "recover" || !control.undo?.includes(id))
                  return "nothing is to be undone";
                return after.every((other) => this.#isOver(other)) ? undefined : "a compensation before it";
              },
              { id: plan.id, part: "recover" },
            ),
          );
        });
      case "try":
        this.#walk(
          plan.try,
          inside(() => (this.#isInBody(plan.id) ? undefined : "the block has failed or is over"), {
            id: plan.id,
            part: "body",
          }),
        );
        if (plan.catch !== undefined) {
          this.#walk(
            plan.catch,
            inside(
              () => (this.#scope(plan.id)?.phase === "recover" ? undefined : "nothing is to be caught"),
              { id: plan.id, part: "recover" },
            ),
          );
        }
        if (plan.finally !== undefined) {
          this.#walk(
            plan.finally,
            inside(() => (this.#scope(plan.id)?.phase === "finally" ? undefined : "the block is not over"), {
              id: plan.id,
              part: "finally",
            }),
          );
        }
        return;
      case "continue-as-new":
        return;
      default:
        plan satisfies never;
    }
  }

  /** A sequence may continue past it. */
  #isPassed(plan: PlanNode): boolean {
    switch (plan.kind) {
      case "task": {
        const state = this.#rowState(taskKey(plan.task));
        if (plan.task.waitAsync === true || state === "finished" || state === "skipped") return true;
        return state === "failed" && plan.task.continueOnFail;
      }
      case "sequence":
      case "parallel":
        return plan.children.every((child) => this.#isPassed(child));
      case "loop":
        return this.#isLoopDone(plan.id);
      case "saga":
      case "try": {
        const control = this.#scope(plan.id);
        return control?.phase === "done" && (control.error === undefined || control.handled === true);
      }
      case "continue-as-new":
        return false;
      default:
        return plan satisfies never;
    }
  }

  /** Nothing of it is to come, however it ended. */
  #isOver(plan: PlanNode): boolean {
    switch (plan.kind) {
      case "task":
        return plan.task.waitAsync === true || this.#isTerminal(plan.task.nodeId);
      case "sequence":
      case "parallel":
        return plan.children.every((child) => this.#isOver(child));
      case "loop":
        return this.#isLoopDone(plan.id);
      case "saga":
      case "try":
        return this.#scope(plan.id)?.phase === "done";
      case "continue-as-new":
        return true;
      default:
        return plan satisfies never;
    }
  }

  #isTerminal(nodeId: string): boolean {
    const key = this.#state.latest.get(nodeId);
    const state = key === undefined ? undefined : this.#rowState(key);
    return state === "finished" || state === "skipped" || state === "failed";
  }

  #rowState(key: TaskKey) {
    return this.#state.nodes.get(key)?.row.state;
  }

  #iteration(id: string): number {
    const control = this.#state.controls.get(id);
    return control?.kind === "loop" ? control.iteration : -1;
  }

  #isLoopDone(id: string): boolean {
    const control = this.#state.controls.get(id);
    return control?.kind === "loop" && control.done;
  }

  #scope(id: string) {
    const control = this.#state.controls.get(id);
    return control?.kind === "scope" ? control : undefined;
  }

  #isInBody(id: string): boolean {
    const control = this.#scope(id);
    return control === undefined || (control.phase === "body" && control.error === undefined);
  }
}

const PARTS = ["body", "recover", "finally"] as const;

/** A part of a Saga or TryCatchFinally. */
interface ScopePlace {
  readonly id: string;
  readonly part: (typeof PARTS)[number];
}

/** What is wrong, or nothing. */
type Condition = () => string | undefined;

interface AncestorContext {
  readonly conditions: readonly Condition[];
  /** Enclosing groups with a cap, outermost first. */
  readonly caps: readonly { id: string; cap: number }[];
  /** Outermost first. */
  readonly loops: readonly string[];
  /** Outermost first. */
  readonly parts: readonly ScopePlace[];
}

export interface TaskPlace extends AncestorContext {
  readonly task: TaskDescriptor;
  /** Position in document order. */
  readonly index: number;
}
