import { writtenId } from "../../../src/model/address.js";
import { questionsOf } from "./composites.js";
import { type Answer, everyPlan, type EventPlan, type Plan } from "./plan.js";

/** A node that waits for a person or a system. */
export interface Wait {
  /** @default the only run */
  readonly runId?: string;
  readonly nodeId: string;
  readonly iteration: number;
  /** A wait for neither a person nor a system: it is left alone. */
  readonly state: string;
}

/** An action that ends a wait. */
export type Act = { readonly approves: boolean } | { readonly sends: EventPlan };

/**
 * What people and other systems do to the runs of a random workflow: the same for every process that drives them, the
 * scheduler alone or whole processes. Each wait is answered once.
 */
export class Outside {
  readonly #answers = new Map<string, Answer>();
  readonly #events = new Map<string, EventPlan>();
  readonly #done = new Set<string>();

  constructor(plans: readonly Plan[]) {
    for (const plan of everyPlan(plans)) {
      if (plan.kind === "task" && plan.gate !== null) this.#answers.set(plan.id, plan.gate);
      if (plan.kind === "approval" || plan.kind === "human") this.#answers.set(plan.id, plan.answer);
      if (plan.kind === "event") this.#events.set(plan.id, plan);
      if (plan.kind !== "composite") continue;
      for (const [id, answer] of Object.entries(questionsOf(plan))) this.#answers.set(id, answer);
    }
  }

  /** Signals that are sent to a run before anything waits for them. */
  sendEarly(runId?: string): EventPlan[] {
    const early = [...this.#events.values()].filter(({ sent }) => sent === "early");
    for (const { id } of early) this.#done.add(nameOf({ runId, nodeId: id, iteration: 0 }, 1));
    return early;
  }

  /**
   * The first of these waits that is acted on now.
   * @param times how often the node has begun to wait: a block that begins again waits anew
   */
  next<W extends Wait>(waits: Iterable<W>, times: (wait: W) => number): { wait: W; act: Act } | undefined {
    for (const wait of waits) {
      const act = this.#actOn(wait);
      if (act === undefined) continue;
      const name = nameOf(wait, times(wait));
      if (this.#done.has(name)) continue;
      this.#done.add(name);
      return { wait, act };
    }
    return undefined;
  }

  #actOn({ nodeId, state }: Wait): Act | undefined {
    const id = writtenId(nodeId);
    const answer = this.#answers.get(id);
    // A subflow that waits is not asked itself.
    if (state === "waiting-approval" && answer !== undefined && answer !== "ignore") {
      return { approves: answer === "approve" };
    }
    const event = this.#events.get(id);
    const isSent = state === "waiting-event" && event !== undefined && event.sent !== "never";
    return isSent ? { sends: event } : undefined;
  }
}

function nameOf({ runId = "", nodeId, iteration }: Partial<Wait>, times: number): string {
  return `${runId} ${nodeId} ${iteration} ${times}`;
}
