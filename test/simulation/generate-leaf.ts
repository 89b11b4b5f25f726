import type { Answer, ApprovalPlan, EventPlan, Plan, PollerPlan, TaskPlan, TimerPlan } from "./plan.js";
import type { Random } from "./random.js";

/** What a place in the tree may refer to. */
export interface Place {
  depth: number;
  /** Inside a group whose children run side by side: failures are rare there. */
  calm: boolean;
  /** Nothing of the run goes on beside it: a run may be continued as new here. */
  alone: boolean;
  /** What stands here may be skipped as a whole, so that nobody can rely on its rows. */
  unsure: boolean;
  /** In a workflow whose result an inline subflow would change. */
  isResult: boolean;
  /** Ids of tasks before this place. */
  known: string[];
}

/** Makes the leaves of random workflows. */
export class LeafGenerator {
  readonly #random: Random;
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  leaf(place: Place): Plan {
    const random = this.#random;
    const kind = random.weighted({
      task: 60,
      approval: 13,
      event: 11,
      timer: 7,
      human: 5,
      poller: 3,
      continue: place.alone ? 2 : 0,
    });
    switch (kind) {
      case "task":
        return this.task(place);
      case "approval":
        return this.#approval(place);
      case "event":
        return this.#event(place);
      case "timer":
        return this.#timer(place);
      case "poller":
        return this.#poller(place);
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
    const hangs =
      fails > 0 && random.chance(0.25)
        ? { limit: random.pick(["timeout", "heartbeat"] as const), deaf: random.chance(0.3) }
        : null;
    const failing = hangs === null ? (["compute", "async", "agent"] as const) : (["async"] as const);
    const work = fails > 0 ? random.pick(failing) : random.pick(WORK);
    const sources = place.calm ? place.known.filter((id) => id.startsWith("t")) : place.known;
    const mayRead = work !== "static" && work !== "agent" && sources.length > 0 && random.chance(0.3);
    const task: TaskPlan = {
      kind: "task",
      id: this.id(isSure ? "t" : "u"),
      work,
      fails,
      hangs,
      retries,
      delayMs: random.pick([0, 0, 1_000]),
      continueOnFail,
      skip,
      dependsOn: this.some(place),
      reads: mayRead ? [random.pick(sources)] : [],
      needs: work === "compute" ? this.some(place) : [],
      gate,
    };
    // What reads an unsure row is unsure itself.
    if (task.reads.some((id) => id.startsWith("u")) && task.id.startsWith("t"))
      task.id = `u${task.id.slice(1)}`;
    place.known.push(task.id);
    return task;
  }

  /** One of the tasks before this place, or none. */
  some({ known }: Place): string[] {
    return known.length > 0 && this.#random.chance(0.2) ? [this.#random.pick(known)] : [];
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

  #poller(place: Place): PollerPlan {
    const random = this.#random;
    return {
      kind: "poller",
      id: this.id("p"),
      satisfiedAt: random.int(0, 3),
      max: random.int(1, 4),
      backoff: random.pick(["fixed", "linear", "exponential"]),
      onTimeout: place.calm || place.unsure ? "return-last" : random.pick(["fail", "return-last"]),
    };
  }

  #approval(place: Place): ApprovalPlan {
    const random = this.#random;
    const answer = this.#answer(place);
    const when = random.chance(0.2) ? random.chance(0.5) : null;
    return {
      kind: "approval",
      id: this.id("a"),
      mode: when === null ? random.weighted({ approve: 4, select: 1, rank: 1 }) : "approve",
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

const WORK = ["static", "compute", "compute", "async", "agent"] as const;

/** Later than every wait of a run that is answered, milliseconds. */
const FAR = 30 * 24 * 3_600_000;
