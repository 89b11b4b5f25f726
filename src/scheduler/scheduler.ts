import type { Command, SchedulerEvent } from "./commands.js";
import { nextDeadline } from "./deadlines.js";
import { type Disposition, disposition } from "./disposition.js";
import { countAsking } from "./slots.js";
import { createState, type SchedulerState, type StateSeed } from "./state.js";
import { step } from "./step.js";
import type { SchedulerView } from "./view.js";

/**
 * Owns the state of one run. Only events change it, and only here; all other code
 * reads the view.
 */
export class Scheduler {
  readonly #state: SchedulerState;

  constructor(seed: StateSeed) {
    this.#state = createState(seed);
  }

  get view(): SchedulerView {
    return this.#state;
  }

  /** Takes the state on by one event, and answers what follows from it. */
  step(event: SchedulerEvent, now: number): Command[] {
    return step(this.#state, event, now);
  }

  get disposition(): Disposition {
    return disposition(this.#state);
  }

  /** Epoch ms of the next thing that happens by itself; undefined when nothing does. */
  nextDeadline(): number | undefined {
    return nextDeadline(this.#state);
  }

  /** Tasks that could start and find no free slot. */
  get queued(): number {
    const { ready, caps } = this.#state.graph;
    return caps.reduce((sum, { waiting }) => sum + waiting.size, ready.size) + countAsking(this.#state);
  }
}
