import { LeafGenerator, type Place } from "./generate-leaf.js";
import { everyPlan, type Plan, type Scenario, type TaskPlan } from "./plan.js";
import { Random } from "./random.js";
import { type Shape, WHOLE } from "./shape.js";

/** Random workflows, the same for the same seed and shape. */
export function generateScenario(seed: number, shape: Shape = WHOLE): Scenario {
  const random = new Random(seed);
  const plans = new Generator(random, shape).workflow();
  aim(plans, random);
  const maxConcurrency = random.pick([1, 2, 2, 3, 4, 20]);
  return { plans, maxConcurrency, resumes: random.pick([0, 0, 1, 2]) };
}

/** Short tasks side by side that come and go with one another's rows, many of them in one turn. */
export function generateCrowd(seed: number): Scenario {
  const random = new Random(seed);
  const known: string[] = [];
  const children = Array.from({ length: random.int(3, 7) }, (_, at): Plan => {
    const task = { ...plainTask(`t${at}`, "compute"), ms: random.int(1, 2) };
    if (known.length > 0 && random.chance(0.5)) {
      return {
        kind: "follows",
        source: random.pick(known),
        is: random.pick(["until", "since"]),
        children: [task],
      };
    }
    known.push(task.id);
    return task;
  });
  const cap = random.chance(0.5) ? random.int(1, 3) : null;
  const plans: Plan[] = [{ kind: "parallel", queue: false, cap, children }];
  return { plans, maxConcurrency: random.int(1, 4), resumes: 0 };
}

/** What follows rows may follow those of any task: before it, beside it, behind it, in another run. */
function aim(plans: readonly Plan[], random: Random): void {
  const all = [...everyPlan(plans)];
  const tasks = all.filter((plan) => plan.kind === "task").map(({ id }) => id);
  for (const plan of all) {
    if (plan.kind === "follows" && plan.source === "" && tasks.length > 0) plan.source = random.pick(tasks);
  }
}

class Generator {
  readonly #random: Random;
  readonly #leaves: LeafGenerator;
  readonly #shape: Shape;
  /** Leaves that may still be made. */
  #budget: number;

  constructor(random: Random, shape: Shape) {
    this.#random = random;
    this.#shape = shape;
    this.#leaves = new LeafGenerator(random, shape);
    this.#budget = random.int(2, shape.mostLeaves);
  }

  workflow(): Plan[] {
    const { continues } = this.#shape;
    const root: Place = { ...NOWHERE, depth: 0, calm: false, alone: continues, known: [] };
    const rest = () => this.#list(root, this.#random.int(1, 4));
    return continues && this.#random.chance(0.2) ? [...this.#chain(), ...rest()] : rest();
  }

  /** A loop that continues in new runs for sure, and something before it that must not run again. */
  #chain(): Plan[] {
    const place: Place = { ...NOWHERE, depth: 2, known: [] };
    const before = this.#list({ ...place, depth: 3 }, this.#random.int(1, 2));
    const loop = this.#loop(place);
    if (loop.kind !== "loop") return before;
    const [times, every] = [this.#random.int(2, 4), this.#random.int(1, 2)];
    return [...before, { ...loop, times, every, max: 5, onMax: "return-last", skip: false }];
  }

  #id(prefix: string): string {
    return this.#leaves.id(prefix);
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
    if (place.depth < 4 && this.#budget > 1 && this.#random.chance(0.55)) return this.#block(place);
    this.#budget -= 1;
    return this.#leaves.leaf(place);
  }

  #block(place: Place): Plan {
    const random = this.#random;
    const inner: Place = { ...place, depth: place.depth + 1 };
    /** A part that may never be entered: no task outside names its tasks. */
    const apart = (): Place => ({ ...inner, known: [...place.known] });
    const own = this.#shape.isEntangled ? () => inner : apart;
    const few = (most: number) => random.int(this.#shape.fewest, most);
    const kind = random.weighted(this.#shape.blocks);
    switch (kind) {
      case "sequence": {
        const skip = random.chance(0.05);
        return {
          kind,
          skip,
          children: this.#list({ ...own(), unsure: place.unsure || skip }, few(3)),
        };
      }
      case "parallel": {
        const queue = random.chance(0.25);
        const cap = queue || random.chance(0.4) ? random.int(1, 2) : null;
        const calm = inner.calm || random.chance(0.75);
        const side = { ...inner, calm, alone: false };
        return {
          kind,
          queue,
          cap,
          children: this.#list(side, this.#shape.isEntangled ? few(5) : random.int(2, 4)),
        };
      }
      case "branch":
        return this.#branch(apart());
      case "follows": {
        const near = place.known.filter((id) => !this.#shape.isEntangled || this.#leaves.isOutside(id));
        const source = near.length > 0 && random.chance(0.5) ? random.pick(near) : "";
        const inside = { ...apart(), unsure: true };
        const is = random.pick(["until", "since"] as const);
        return { kind, source, is, children: this.#list(inside, random.int(1, 2)) };
      }
      case "loop":
        return this.#loop(own());
      case "saga": {
        const steps = Array.from({ length: random.int(1, 3) }, () => {
          const at = own();
          return { id: this.#id("step"), action: this.#plan(at), compensation: this.#undo(apart()) };
        });
        const onFailure = random.pick(["compensate", "compensate-and-fail", "fail"] as const);
        return { kind, id: this.#id("saga"), onFailure, steps };
      }
      case "try": {
        const handler = random.pick(["none", "element", "element", "function"] as const);
        const body = this.#list({ ...own(), calm: false }, random.int(1, 3));
        const recovery = handler === "none" ? [] : this.#list(apart(), random.int(1, 2));
        const final = random.chance(0.5) ? this.#list(apart(), 1) : [];
        const codes = handler !== "none" && random.chance(0.15) ? ["TASK_FAILED"] : null;
        return { kind, id: this.#id("try"), body, handler, codes, recovery, final };
      }
      case "aspects":
        return this.#aspects(apart());
      default:
        return this.#subflow(apart());
    }
  }

  #aspects(place: Place): Plan {
    const random = this.#random;
    const onExceeded = place.calm ? "warn" : random.pick(["fail", "warn", "skip-remaining"] as const);
    const max = random.chance(0.7) ? random.int(1, 4) * TOKENS : null;
    const perTask = max === null || random.chance(0.3) ? random.int(0, 2) * TOKENS + 1 : null;
    const inside = { ...place, unsure: place.unsure || onExceeded === "skip-remaining" };
    return {
      kind: "aspects",
      id: this.#id("aspects"),
      tokens: { max, perTask },
      onExceeded,
      children: this.#list(inside, random.int(1, 3)),
    };
  }

  #subflow(place: Place): Plan {
    const random = this.#random;
    // The rows of an inline subflow are results of the workflow around it, too: two rows would be a list.
    const mode = place.isResult ? "childRun" : random.pick(["childRun", "inline"] as const);
    const isRun = mode === "childRun";
    const dependsOn = isRun ? this.#leaves.some(place) : [];
    const inside = { ...place, alone: isRun || place.alone, unsure: isRun ? false : place.unsure };
    return {
      kind: "subflow",
      id: this.#id("f"),
      mode,
      continueOnFail: isRun && random.chance(0.3),
      retries: isRun ? random.pick([0, 0, 1, 2]) : 0,
      skip: isRun && random.chance(0.05),
      dependsOn,
      children: this.#list({ ...inside, isResult: true, known: [] }, random.int(1, 2)),
    };
  }

  #undo(place: Place): Plan {
    if (this.#shape.isEntangled && this.#budget > 0) return this.#plan(place);
    this.#budget -= 1;
    return this.#leaves.task({ ...NOWHERE, known: [] });
  }

  /** The source of a condition stands before it in the same sequence, so that the row is there or never will be. */
  #branch(place: Place): Plan {
    const source = this.#leaves.task(place);
    const then = this.#list({ ...place, known: [...place.known] }, 1);
    const otherwise = this.#random.chance(0.7) ? this.#list({ ...place, known: [...place.known] }, 1) : [];
    return {
      kind: "sequence",
      skip: false,
      children: [source, { kind: "branch", source: source.id, then, otherwise }],
    };
  }

  #loop(place: Place): Plan {
    const random = this.#random;
    const skip = random.chance(0.04);
    const id = this.#id("loop");
    const inside = { ...place, unsure: place.unsure || skip, loops: [...place.loops, id] };
    const body = this.#list(inside, random.int(1, 2)).map(
      (plan): Plan =>
        // A loop may not stand directly in a loop.
        plan.kind === "loop" ? { kind: "sequence", skip: false, children: [plan] } : plan,
    );
    const probe = probeOf(this.#id(inside.unsure ? "u" : "t"));
    return {
      kind: "loop",
      id,
      probe: probe.id,
      times: random.int(1, 3),
      max: random.int(1, 4),
      onMax: place.calm ? "return-last" : random.pick(["fail", "return-last", "return-last"]),
      every: place.alone && random.chance(0.5) ? random.int(1, 2) : null,
      skip,
      body: [...body, probe],
    };
  }
}

/** Calm, and nothing to name. */
const NOWHERE: Place = {
  depth: 9,
  calm: true,
  alone: false,
  unsure: false,
  isResult: false,
  known: [],
  loops: [],
};

/** Counts the iterations, by the row of the one before. */
function probeOf(id: string): TaskPlan {
  return plainTask(id, "probe");
}

function plainTask(id: string, work: TaskPlan["work"]): TaskPlan {
  return {
    kind: "task",
    id,
    work,
    fails: 0,
    hangs: null,
    retries: 0,
    delayMs: 0,
    ms: 1,
    lacksQuota: false,
    continueOnFail: false,
    skip: false,
    dependsOn: [],
    reads: [],
    needs: [],
    gate: null,
  };
}

/** What one answer of an agent costs. */
export const TOKENS = 10;
