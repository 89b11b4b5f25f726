import { type Layout, layoutOf, nodesOf } from "./composites.js";
import { everyPlan, parts, type Plan } from "./plan.js";

/** A node that a plan mounts, and the loops around it in its run, outermost first. */
interface Leaf {
  id: string;
  loops: readonly string[];
}

/** Nodes of which so many may run at a time. */
export interface Group {
  readonly cap: number;
  readonly ids: ReadonlySet<string>;
}

/** What must have ended before what, by the structure of the plan and by what tasks name; what may run together. */
export class Order {
  readonly #loops = new Map<string, readonly string[]>();
  readonly #before = new Map<string, Set<string>>();

  readonly #groups: Group[] = [];

  constructor(plans: readonly Plan[]) {
    for (const plan of everyPlan(plans)) {
      if (plan.kind !== "parallel" || plan.cap === null) continue;
      this.#groups.push({ cap: plan.cap, ids: new Set(plan.children.flatMap(nodesIn)) });
    }
    this.#inTurn(plans.map((plan) => this.#leaves(plan, [])));
  }

  /** Ids of the nodes that come before this one. */
  before(id: string): Iterable<string> {
    return this.#before.get(id) ?? [];
  }

  /** The groups with a cap around this node. */
  groupsAround(id: string): readonly Group[] {
    return this.#groups.filter(({ ids }) => ids.has(id));
  }

  /** How many loops these two are in together. */
  sharedLoops(id: string, other: string): number {
    const [mine, theirs] = [this.#loops.get(id) ?? [], this.#loops.get(other) ?? []];
    let shared = 0;
    while (shared < mine.length && mine[shared] === theirs[shared]) shared += 1;
    return shared;
  }

  isInLoop(id: string): boolean {
    return (this.#loops.get(id) ?? []).length > 0;
  }

  #add(id: string, others: Iterable<string>): void {
    const known = this.#before.get(id) ?? new Set();
    for (const other of others) known.add(other);
    this.#before.set(id, known);
  }

  /** Each group comes after all before it. Returns all of them. */
  #inTurn(groups: readonly (readonly Leaf[])[]): Leaf[] {
    const earlier: Leaf[] = [];
    for (const group of groups) {
      const ids = earlier.map(({ id }) => id);
      for (const { id } of group) this.#add(id, ids);
      earlier.push(...group);
    }
    return earlier;
  }

  #leaf(id: string, loops: readonly string[]): Leaf[] {
    this.#loops.set(id, loops);
    return [{ id, loops }];
  }

  #composite(layout: Layout, loops: readonly string[]): Leaf[] {
    if (typeof layout === "string") return this.#leaf(layout, loops);
    const around = "loop" in layout ? [...loops, layout.loop] : loops;
    const each = (inner: readonly Layout[] = []) => inner.map((one) => this.#composite(one, around));
    return "together" in layout ? each(layout.together).flat() : this.#inTurn(each(layout.inTurn));
  }

  /** The nodes that whatever follows the plan waits for. */
  #leaves(plan: Plan, loops: readonly string[]): Leaf[] {
    const each = (plans: readonly Plan[], around = loops) =>
      plans.map((inner) => this.#leaves(inner, around));
    switch (plan.kind) {
      case "task":
        this.#add(plan.id, [...plan.dependsOn, ...plan.reads, ...plan.needs]);
        return this.#leaf(plan.id, loops);
      case "approval":
      case "event": {
        this.#add(plan.id, plan.dependsOn);
        const leaf = this.#leaf(plan.id, loops);
        return plan.async ? [] : leaf;
      }
      case "timer":
        this.#add(plan.id, plan.dependsOn);
        return this.#leaf(plan.id, loops);
      case "human":
        return this.#leaf(plan.id, loops);
      case "composite":
        return this.#composite(layoutOf(plan), loops);
      case "continue":
        return [];
      case "follows":
        // It may go while it runs, and come when what stands behind it has begun.
        this.#inTurn(each(plan.children));
        return [];
      case "subflow": {
        if (plan.mode === "childRun") {
          // A run of its own: its nodes are in another log.
          this.#inTurn([...each(plan.children, []), this.#leaf(`${plan.id}-output`, [])]);
          this.#add(plan.id, plan.dependsOn);
          return this.#leaf(plan.id, loops);
        }
        const result = [`${plan.id}-output`, plan.id].map((id) => this.#leaf(id, loops));
        return this.#inTurn([...each(plan.children), ...result]);
      }
      case "saga": {
        const undo = plan.steps.map(({ compensation }) => compensation).toReversed();
        return this.#inTurn([...each(plan.steps.map(({ action }) => action)), ...each(undo)]);
      }
      case "parallel":
        return each(plan.children).flat();
      case "branch":
        return [this.#inTurn(each(plan.then)), this.#inTurn(each(plan.otherwise))].flat();
      case "loop":
        return this.#inTurn(each(plan.body, [...loops, plan.id]));
      default:
        return this.#inTurn(each(parts(plan)));
    }
  }
}

/** Ids of the nodes of a plan in its run: those of a child run are not. */
function nodesIn(plan: Plan): string[] {
  if (plan.kind === "composite") return nodesOf(layoutOf(plan));
  if (plan.kind === "subflow") {
    return plan.mode === "childRun"
      ? [plan.id]
      : [...plan.children.flatMap(nodesIn), `${plan.id}-output`, plan.id];
  }
  const inner = parts(plan);
  return inner.length === 0 && "id" in plan ? [plan.id] : inner.flatMap(nodesIn);
}

/** The iterations of the loops around a node, outermost first. */
export function iterationsOf(nodeId: string, iteration: number, isInLoop: boolean): number[] {
  const outer = [...nodeId.matchAll(/@@[^=]+=(\d+)/g)].map(([, round]) => Number(round));
  return isInLoop ? [...outer, iteration] : outer;
}
