import { type CompositePlan, COMPOSITES } from "./composites.js";
import type { Answer, ApprovalPlan, EventPlan, Plan, TaskPlan, TimerPlan } from "./plan.js";
import type { Random } from "./random.js";
import type { Shape } from "./shape.js";

/** What a place in the tree may refer to. */
export interface Place {
  depth: number;
  /** Inside a group whose children run side by side: failures are rare there. */
  calm: boolean;
  /** Nothing of the run continues beside it: a run may be continued as new here. */
  alone: boolean;
  /** This part may be skipped as a whole, so that no task can rely on its rows. */
  unsure: boolean;
  /** In a workflow whose result an inline subflow would change. */
  isResult: boolean;
  /** Ids of what comes before this place and may be named here. */
  known: string[];
  /** Ids of the loops around, outermost first. */
  loops: readonly string[];
}

/** Makes the leaves of random workflows. */
export class LeafGenerator {
  readonly #random: Random;
  readonly #shape: Shape;
  readonly #loopsOf = new Map<string, readonly string[]>();
  #ids = 0;

  constructor(random: Random, shape: Shape) {
    this.#random = random;
    this.#shape = shape;
  }

  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  leaf(place: Place): Plan {
    const plan = this.#leaf(place);
    if (this.#shape.isEntangled && plan.kind !== "task" && "id" in plan) this.#remember(plan.id, place);
    return plan;
  }

  #leaf(place: Place): Plan {
    const random = this.#random;
    const { leaves } = this.#shape;
    const kind = random.weighted({ ...leaves, continue: place.alone ? leaves.continue : 0 });
    switch (kind) {
      case "task":
        return this.task(place);
      case "approval":
        return this.#approval(place);
      case "event":
        return this.#event(place);
      case "timer":
        return this.#timer(place);
      case "composite":
        return this.#composite(place);
      case "continue":
        return { kind, id: this.id("c"), times: random.int(1, 2) };
      default:
        return this.#human(place);
    }
  }

  task(place: Place): TaskPlan {
    const random = this.#random;
    const trouble = random.chance(place.calm ? 0.05 : 0.14);
    const retries = random.pick([0, 1, 2, 3]);
    const fails = trouble ? retries + 1 : random.chance(0.3) ? random.int(0, retries) : 0;
    const continueOnFail = random.chance(trouble ? 0.4 : 0.1);
    const skip = random.chance(0.06);
    const gate: Answer | null = random.chance(0.07)
      ? place.calm || random.chance(0.7)
        ? "approve"
        : "deny"
      : null;
    const isSure = !place.unsure && !skip && fails <= retries && gate !== "deny";
    const isScripted = !this.#shape.works.includes("async");
    const hangs =
      fails > 0 && random.chance(0.25)
        ? {
            limit: random.pick(["timeout", "heartbeat"] as const),
            deaf: !isScripted && random.chance(0.3),
          }
        : null;
    const failing: readonly TaskPlan["work"][] =
      hangs === null || isScripted ? ["compute", "async", "agent"] : ["async"];
    const work =
      fails > 0
        ? random.pick(failing.filter((each) => this.#shape.works.includes(each)))
        : random.pick(this.#shape.works);
    const sources = place.calm ? place.known.filter((id) => id.startsWith("t")) : place.known;
    const mayRead =
      !this.#shape.isEntangled &&
      work !== "static" &&
      work !== "agent" &&
      sources.length > 0 &&
      random.chance(0.3);
    const task: TaskPlan = {
      kind: "task",
      id: this.id(isSure ? "t" : "u"),
      work,
      fails,
      hangs,
      retries,
      delayMs: random.pick([0, 0, 1_000]),
      // Often equal, so that tasks end in one turn.
      ms: random.pick([1, 1, 1, 2, 5]),
      lacksQuota: random.chance(this.#shape.quota),
      continueOnFail,
      skip,
      dependsOn: [...new Set([...this.some(place), ...this.some(place)])],
      reads: mayRead ? [random.pick(sources)] : [],
      needs: work === "compute" ? this.some(place) : [],
      gate,
    };
    // What reads an unsure row is unsure itself.
    if (task.reads.some((id) => id.startsWith("u")) && task.id.startsWith("t"))
      task.id = `u${task.id.slice(1)}`;
    this.#remember(task.id, place);
    return task;
  }

  #remember(id: string, { known, loops }: Place): void {
    known.push(id);
    this.#loopsOf.set(id, loops);
  }

  /** One of what comes before this place, or nothing. Of nested loops only what is in those around. */
  some({ known, loops }: Place): string[] {
    const visible = known.filter((id) => {
      const theirs = this.#loopsOf.get(id) ?? [];
      return theirs.length < 2 || theirs.every((loop, depth) => loop === loops[depth]);
    });
    return visible.length > 0 && this.#random.chance(0.2) ? [this.#random.pick(visible)] : [];
  }

  /** Whether it stands in no loop. */
  isOutside(id: string): boolean {
    return (this.#loopsOf.get(id) ?? []).length === 0;
  }

  #answer(place: Place): Answer {
    if (place.calm && this.#random.chance(0.8)) return "approve";
    return this.#random.weighted({ approve: 6, deny: 3, ignore: 1 });
  }

  #timeout(isIgnored: boolean): number | null {
    if (isIgnored) return this.#random.pick([10_000, 3_600_000]);
    return this.#random.chance(0.3) ? FAR : null;
  }

  #timer(place: Place): TimerPlan {
    const random = this.#random;
    return {
      kind: "timer",
      id: this.id("w"),
      ms: random.pick([0, 250, 5_000, 60_000]),
      isAbsolute: random.chance(0.2),
      dependsOn: this.some(place),
    };
  }

  #composite(place: Place): CompositePlan {
    const random = this.#random;
    return {
      kind: "composite",
      of: random.pick(COMPOSITES),
      id: this.id("p"),
      size: random.pick([1, 1, 2, 3]),
      goodAt: random.int(0, 3),
      max: random.int(1, 4),
      onMax: place.calm || place.unsure ? "return-last" : random.pick(["fail", "return-last"]),
      way: random.pick([0, 1, 2]),
      fails: random.chance(0.3) ? random.int(1, place.calm || place.unsure ? 1 : 2) : 0,
      skip: random.chance(0.05),
    };
  }

  #approval(place: Place): ApprovalPlan {
    const random = this.#random;
    const answer = this.#answer(place);
    const when = random.chance(this.#shape.gates) ? random.chance(0.5) : null;
    return {
      kind: "approval",
      id: this.id("a"),
      mode: when === null ? random.weighted(this.#shape.modes) : "approve",
      onDeny: random.pick(["fail", "continue", "skip"]),
      answer,
      timeoutMs: this.#timeout(answer === "ignore"),
      continueOnFail: random.chance(0.2),
      async: when === null && random.chance(0.12),
      dependsOn: when === null ? this.some(place) : [],
      when,
    };
  }

  #human(place: Place): Plan {
    const answer = this.#answer(place);
    return {
      kind: "human",
      id: this.id("h"),
      answer: answer === "deny" ? "approve" : answer,
      timeoutMs: this.#timeout(answer === "ignore"),
      continueOnFail: this.#random.chance(0.3),
    };
  }

  #event(place: Place): EventPlan {
    const random = this.#random;
    const sent = random.weighted({ early: 3, "on-wait": 6, never: place.calm ? 1 : 2 });
    const element = random.pick(["Signal", "WaitForEvent"] as const);
    const id = this.id("e");
    return {
      kind: "event",
      id,
      element,
      event: element === "Signal" ? id : `event-${id}`,
      correlationId: random.chance(0.3) ? "c1" : null,
      sent,
      timeoutMs: this.#timeout(sent === "never"),
      onTimeout: place.calm ? random.pick(["skip", "continue"]) : random.pick(["fail", "skip", "continue"]),
      async: random.chance(0.1),
      dependsOn: this.some(place),
    };
  }
}

/** Later than every wait of a run that is answered, milliseconds. */
const FAR = 30 * 24 * 3_600_000;
