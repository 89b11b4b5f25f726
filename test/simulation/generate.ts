import type { Answer, ApprovalPlan, EventPlan, Plan, TaskPlan } from "./plan.js";
import { Random } from "./random.js";

/** What a place in the tree may refer to. */
interface Place {
  depth: number;
  /** Inside a group whose children run side by side: failures are rare there. */
  calm: boolean;
  /** Ids of tasks before this place. */
  known: string[];
  isRoot: boolean;
}

/** Random workflows, the same for the same seed. */
export function generatePlan(seed: number): Plan[] {
  return new Generator(new Random(seed)).workflow();
}

class Generator {
  readonly #random: Random;
  #ids = 0;
  /** Leaves that may still be made. */
  #budget: number;

  constructor(random: Random) {
    this.#random = random;
    this.#budget = random.int(2, 9);
  }

  workflow(): Plan[] {
    return this.#list({ depth: 0, calm: false, known: [], isRoot: true }, this.#random.int(1, 4));
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  #list(place: Place, count: number): Plan[] {
    const plans: Plan[] = [];
    for (let at = 0; at < count; at += 1) {
      if (at > 0 && this.#budget <= 0) break;
      plans.push(this.#plan(place));
    }
    return plans;
  }

  #plan(place: Place): Plan {
    const random = this.#random;
    if (place.depth < 4 && this.#budget > 1 && random.chance(0.55)) return this.#block(place);
    this.#budget -= 1;
    const kind = random.weighted({ task: 62, approval: 13, event: 12, timer: 8, human: 5 });
    switch (kind) {
      case "task":
        return this.#task(place);
      case "approval":
        return this.#approval(place);
      case "event":
        return this.#event(place);
      case "timer":
        return { kind, id: this.#id("w"), ms: random.pick([0, 250, 5_000, 60_000]) };
      default:
        return this.#human(place);
    }
  }

  #task(place: Place): TaskPlan {
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
    const isSure = !skip && fails <= retries && gate !== "deny";
    const some = () => (place.known.length > 0 && random.chance(0.2) ? [random.pick(place.known)] : []);
    const work = fails > 0 ? random.pick(["compute", "async", "agent"] as const) : random.pick(WORK);
    const sources = place.calm ? place.known.filter((id) => id.startsWith("t")) : place.known;
    const mayRead = work !== "static" && work !== "agent" && sources.length > 0 && random.chance(0.3);
    const task: TaskPlan = {
      kind: "task",
      id: this.#id(isSure ? "t" : "u"),
      work,
      fails,
      retries,
      delayMs: random.pick([0, 0, 1_000]),
      continueOnFail,
      skip,
      dependsOn: some(),
      reads: mayRead ? [random.pick(sources)] : [],
      needs: work === "compute" ? some() : [],
      gate,
    };
    // What reads an unsure row is unsure itself.
    if (task.reads.some((id) => id.startsWith("u")) && task.id.startsWith("t"))
      task.id = `u${task.id.slice(1)}`;
    place.known.push(task.id);
    return task;
  }

  #answer(place: Place): Answer {
    if (place.calm && this.#random.chance(0.8)) return "approve";
    return this.#random.weighted({ approve: 6, deny: 3, ignore: 1 });
  }

  #timeout(isIgnored: boolean): number | null {
    if (isIgnored) return this.#random.pick([10_000, 3_600_000]);
    return this.#random.chance(0.3) ? FAR : null;
  }

  #approval(place: Place): ApprovalPlan {
    const random = this.#random;
    const answer = this.#answer(place);
    const when = random.chance(0.2) ? random.chance(0.5) : null;
    return {
      kind: "approval",
      id: this.#id("a"),
      mode: when === null ? random.weighted({ approve: 4, select: 1, rank: 1 }) : "approve",
      onDeny: random.pick(["fail", "continue", "skip"]),
      answer,
      timeoutMs: this.#timeout(answer === "ignore"),
      continueOnFail: random.chance(0.2),
      async: when === null && random.chance(0.12),
      when,
    };
  }

  #human(place: Place): Plan {
    const answer = this.#answer(place);
    return {
      kind: "human",
      id: this.#id("h"),
      answer: answer === "deny" ? "approve" : answer,
      timeoutMs: this.#timeout(answer === "ignore"),
      continueOnFail: this.#random.chance(0.3),
    };
  }

  #event(place: Place): EventPlan {
    const random = this.#random;
    const sent = random.weighted({ early: 3, "on-wait": 6, never: place.calm ? 1 : 2 });
    const element = random.pick(["Signal", "WaitForEvent"] as const);
    const id = this.#id("e");
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
    };
  }

  #block(place: Place): Plan {
    const random = this.#random;
    const inner: Place = { ...place, depth: place.depth + 1, isRoot: false };
    const own = (): Place => ({ ...inner, known: [...place.known] });
    const kind = random.weighted({
      sequence: 4,
      parallel: 5,
      branch: 3,
      loop: 4,
      saga: 3,
      try: 4,
      subflow: 3,
    });
    switch (kind) {
      case "sequence":
        return { kind, skip: random.chance(0.05), children: this.#list(own(), random.int(1, 3)) };
      case "parallel": {
        const queue = random.chance(0.25);
        const cap = queue || random.chance(0.4) ? random.int(1, 2) : null;
        const calm = inner.calm || random.chance(0.75);
        return { kind, queue, cap, children: this.#list({ ...inner, calm }, random.int(2, 4)) };
      }
      case "branch":
        return this.#branch(own());
      case "loop":
        return this.#loop(own(), place.isRoot);
      case "saga": {
        const steps = Array.from({ length: random.int(1, 3) }, () => {
          const at = own();
          return {
            id: this.#id("step"),
            action: this.#plan({ ...at, calm: place.calm }),
            compensation: this.#undo(),
          };
        });
        const onFailure = random.pick(["compensate", "compensate-and-fail", "fail"] as const);
        return { kind, id: this.#id("saga"), onFailure, steps };
      }
      case "try": {
        const handler = random.pick(["none", "element", "element", "function"] as const);
        const body = this.#list({ ...own(), calm: false }, random.int(1, 3));
        const recovery = handler === "none" ? [] : this.#list(own(), random.int(1, 2));
        const final = random.chance(0.5) ? this.#list(own(), 1) : [];
        const codes = handler !== "none" && random.chance(0.15) ? ["TASK_FAILED"] : null;
        return { kind, id: this.#id("try"), body, handler, codes, recovery, final };
      }
      default: {
        const mode = random.pick(["childRun", "inline"] as const);
        const children = this.#list({ ...own(), known: [] }, random.int(1, 2));
        return {
          kind,
          id: this.#id("f"),
          mode,
          continueOnFail: mode === "childRun" && random.chance(0.3),
          children,
        };
      }
    }
  }

  #undo(): Plan {
    this.#budget -= 1;
    const task = this.#task({ depth: 9, calm: true, known: [], isRoot: false });
    return task;
  }

  /** The source of a condition stands before it in the same sequence, so that the row is there or never will be. */
  #branch(place: Place): Plan {
    const source = this.#task(place);
    const then = this.#list({ ...place, known: [...place.known] }, 1);
    const otherwise = this.#random.chance(0.7) ? this.#list({ ...place, known: [...place.known] }, 1) : [];
    return {
      kind: "sequence",
      skip: false,
      children: [source, { kind: "branch", source: source.id, then, otherwise }],
    };
  }

  #loop(place: Place, isRoot: boolean): Plan {
    const random = this.#random;
    const body = this.#list(place, random.int(1, 2)).map(
      (plan): Plan =>
        // A loop may not stand directly in a loop.
        plan.kind === "loop" ? { kind: "sequence", skip: false, children: [plan] } : plan,
    );
    const probe: TaskPlan = {
      kind: "task",
      id: this.#id("t"),
      work: "probe",
      fails: 0,
      retries: 0,
      delayMs: 0,
      continueOnFail: false,
      skip: false,
      dependsOn: [],
      reads: [],
      needs: [],
      gate: null,
    };
    return {
      kind: "loop",
      id: this.#id("loop"),
      probe: probe.id,
      times: random.int(1, 3),
      max: random.int(1, 4),
      onMax: place.calm ? "return-last" : random.pick(["fail", "return-last", "return-last"]),
      every: isRoot && random.chance(0.35) ? random.int(1, 2) : null,
      body: [...body, probe],
    };
  }
}

const WORK = ["static", "compute", "compute", "async", "agent"] as const;

/** Later than every wait of a run that is answered, milliseconds. */
const FAR = 30 * 24 * 3_600_000;
