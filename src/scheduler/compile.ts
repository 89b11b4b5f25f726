import { NO_TASK, type TaskKey, taskKey } from "../model/address.js";
import type { ContinuePlan, LoopPlan, PlanNode, SagaPlan, TryPlan } from "../model/plan.js";
import type { TaskDescriptor } from "../model/task.js";
import { Heap } from "../util/heap.js";
import { asksFirst } from "./asks-first.js";
import { connectDependencies } from "./connect-dependencies.js";
import type {
  CapGroup,
  Graph,
  LoopVertex,
  FailureScope,
  Region,
  SagaStepVertices,
  Vertex,
  VertexRole,
} from "./graph-types.js";

/** A compiled plan before any vertex has opened. */
export interface CompiledPlan extends Graph {
  /** The start vertex; opening it sets everything in motion. */
  readonly entry: number;
  readonly tasks: readonly TaskDescriptor[];
}

const inDocumentOrder = (a: number, b: number) => a < b;

/** Where compilation stands: what encloses the node being compiled. */
interface AncestorContext {
  caps: readonly number[];
  region: number;
  /** Enclosing loops, outermost first, as indexes into `loops`. */
  loops: readonly number[];
  /** Tasks of the innermost loop or scope part, collected for their owner. */
  collect: TaskKey[][];
  /** Exits of asynchronous waits: they do not hold up siblings, only the end of their container. */
  stragglers: number[];
}

/** Compiles a plan. Task vertices are created in document order. */
export function compilePlan(plan: PlanNode, structureVersion: number): CompiledPlan {
  return new Compiler().compile(plan, structureVersion);
}

class Compiler {
  readonly #vertices: Vertex[] = [];
  readonly #caps: CapGroup[] = [];
  readonly #loops: LoopVertex[] = [];
  readonly #scopes: FailureScope[] = [];
  readonly #regions: Region[] = [];
  readonly #tasks: TaskDescriptor[] = [];
  readonly #vertexOfNode = new Map<string, number>();
  readonly #loopsOfNode = new Map<string, readonly number[]>();
  readonly #continues = new Map<number, ContinuePlan>();

  compile(plan: PlanNode, structureVersion: number): CompiledPlan {
    const entry = this.#vertex("join");
    const ancestorContext: AncestorContext = { caps: [], region: -1, loops: [], collect: [], stragglers: [] };
    const exit = this.#node(plan, entry, ancestorContext);
    const root = this.#join([exit, ...ancestorContext.stragglers], ancestorContext);
    const missing = connectDependencies({
      tasks: this.#tasks,
      vertices: this.#vertices,
      vertexOfNode: this.#vertexOfNode,
      loopsOfNode: this.#loopsOfNode,
      loops: this.#loops,
      scopes: this.#scopes,
      regions: this.#regions,
      edge: (from, to) => this.#edge(from, to),
    });
    return {
      vertices: this.#vertices,
      root,
      entry,
      caps: this.#caps,
      loops: this.#loops,
      loopsAtEnd: new Set(),
      scopes: this.#scopes,
      regions: this.#regions,
      missing,
      ready: new Heap<number>(inDocumentOrder),
      plan,
      limited: new Map(),
      structureVersion,
      hasQuestions: this.#tasks.some(asksFirst),
      tasks: this.#tasks,
      continues: this.#continues,
    };
  }

  #node(plan: PlanNode, entry: number, around: AncestorContext): number {
    switch (plan.kind) {
      case "task":
        return this.#task(plan.task, entry, around);
      case "sequence":
        return this.#sequence(plan.children, entry, around);
      case "parallel": {
        let inside = around;
        if (plan.cap !== undefined) {
          this.#caps.push({
            id: plan.id,
            limit: plan.cap,
            running: 0,
            waiting: new Heap<number>(inDocumentOrder),
          });
          inside = { ...around, caps: [...around.caps, this.#caps.length - 1] };
        }
        if (plan.children.length === 0) return entry;
        return this.#join(
          plan.children.map((child) => this.#node(child, entry, inside)),
          around,
        );
      }
      case "loop":
        return this.#loop(plan, entry, around);
      case "saga":
        return this.#saga(plan, entry, around);
      case "try":
        return this.#try(plan, entry, around);
      case "continue-as-new": {
        const vertex = this.#vertex("continue", around);
        this.#continues.set(vertex, plan);
        this.#edge(entry, vertex);
        return vertex;
      }
      default:
        return plan satisfies never;
    }
  }

  #sequence(children: readonly PlanNode[], entry: number, around: AncestorContext): number {
    let exit = entry;
    let inside = around;
    for (const child of children) {
      exit = this.#node(child, exit, inside);
      if (child.kind !== "task" || child.task.approvalOnDeny !== "skip") continue;
      const approval = taskKey(child.task);
      inside = {
        ...inside,
        region: this.#region({ part: "after-approval", approval, around: inside.region }),
      };
    }
    return exit;
  }

  #task(task: TaskDescriptor, entry: number, around: AncestorContext): number {
    const key = taskKey(task);
    const vertex = this.#vertex("task", around, { key });
    this.#edge(entry, vertex);
    this.#tasks.push(task);
    this.#vertexOfNode.set(task.nodeId, vertex);
    this.#loopsOfNode.set(task.nodeId, around.loops);
    for (const list of around.collect) list.push(key);
    if (task.waitAsync !== true) return vertex;
    around.stragglers.push(vertex);
    return entry;
  }

  #loop(plan: LoopPlan, entry: number, around: AncestorContext): number {
    const tasks: TaskKey[] = [];
    const index = this.#loops.length;
    const inside: AncestorContext = {
      ...around,
      loops: [...around.loops, index],
      collect: [...around.collect, tasks],
      stragglers: [],
    };
    // Reserved now so that outer loops come before the loops inside them.
    this.#loops.push({ plan, end: -1, region: around.region, tasks, around: around.loops });
    const exit = this.#node(plan.body, entry, inside);
    const end = this.#latch("loop-end", index, around);
    for (const before of [exit, ...inside.stragglers]) this.#edge(before, end);
    this.#loops[index] = { plan, end, region: around.region, tasks, around: around.loops };
    return end;
  }

  #saga(plan: SagaPlan, entry: number, around: AncestorContext): number {
    const index = this.#openScope(plan, around);
    const start = this.#latchAfter("scope-start", index, around, [entry]);
    const body = this.#part({ part: "body", scope: index, step: null }, around);
    const recoverTasks: TaskKey[] = [];
    const recoverStart = this.#latch("recover-start", index, around);
    const actions: { id: string; actionEnd: number; action: readonly TaskKey[] }[] = [];
    let exit = entry;
    for (const step of plan.steps) {
      const action: TaskKey[] = [];
      const inside = { ...body.around, collect: [...body.around.collect, action] };
      exit = this.#node(step.action, exit, inside);
      actions.push({ id: step.id, actionEnd: exit, action });
    }
    const bodyEnd = this.#latchAfter("body-end", index, body.around, [exit, ...body.around.stragglers]);
    const steps: SagaStepVertices[] = [];
    const stragglers: number[] = [];
    let undo = recoverStart;
    for (let at = plan.steps.length - 1; at >= 0; at -= 1) {
      const action = actions[at] as (typeof actions)[number];
      const part = this.#part({ part: "recover", scope: index, step: action.id }, around);
      undo = this.#node((plan.steps[at] as SagaPlan["steps"][number]).compensation, undo, part.around);
      stragglers.push(...part.around.stragglers);
      recoverTasks.push(...part.tasks);
      steps.unshift({ ...action, compensation: part.tasks, compensationEnd: undo });
    }
    const recoverEnd = this.#latchAfter("recover-end", index, around, [undo, ...stragglers]);
    const end = this.#latch("scope-end", index, around);
    this.#scopes[index] = {
      plan,
      region: around.region,
      start,
      bodyEnd,
      recoverStart,
      recoverEnd,
      finallyStart: -1,
      finallyEnd: -1,
      end,
      bodyTasks: body.tasks,
      recoverTasks,
      finallyTasks: [],
      steps,
    };
    return end;
  }

  #try(plan: TryPlan, entry: number, around: AncestorContext): number {
    const index = this.#openScope(plan, around);
    const start = this.#latchAfter("scope-start", index, around, [entry]);
    const body = this.#part({ part: "body", scope: index, step: null }, around);
    const bodyExit = this.#node(plan.try, entry, body.around);
    const bodyEnd = this.#latchAfter("body-end", index, body.around, [bodyExit, ...body.around.stragglers]);

    const recover = this.#part({ part: "recover", scope: index, step: null }, around);
    const recoverStart = this.#latch("recover-start", index, around);
    const recoverExit =
      plan.catch === undefined ? recoverStart : this.#node(plan.catch, recoverStart, recover.around);
    const recoverEnd = this.#latchAfter("recover-end", index, recover.around, [
      recoverExit,
      ...recover.around.stragglers,
    ]);

    const final = this.#part({ part: "finally", scope: index, step: null }, around);
    const finallyStart = this.#latch("finally-start", index, around);
    const finallyExit =
      plan.finally === undefined ? finallyStart : this.#node(plan.finally, finallyStart, final.around);
    const finallyEnd = this.#latchAfter("finally-end", index, final.around, [
      finallyExit,
      ...final.around.stragglers,
    ]);
    const end = this.#latch("scope-end", index, around);
    this.#scopes[index] = {
      plan,
      region: around.region,
      start,
      bodyEnd,
      recoverStart,
      recoverEnd,
      finallyStart,
      finallyEnd,
      end,
      bodyTasks: body.tasks,
      recoverTasks: recover.tasks,
      finallyTasks: final.tasks,
      steps: [],
    };
    return end;
  }

  #openScope(plan: SagaPlan | TryPlan, around: AncestorContext): number {
    this.#scopes.push({
      plan,
      region: around.region,
      start: -1,
      bodyEnd: -1,
      recoverStart: -1,
      recoverEnd: -1,
      finallyStart: -1,
      finallyEnd: -1,
      end: -1,
      bodyTasks: [],
      recoverTasks: [],
      finallyTasks: [],
      steps: [],
    });
    return this.#scopes.length - 1;
  }

  #part(region: Region, around: AncestorContext) {
    const tasks: TaskKey[] = [];
    return {
      tasks,
      around: {
        caps: around.caps,
        region: this.#region(region),
        loops: around.loops,
        collect: [...around.collect, tasks],
        stragglers: [] as number[],
      },
    };
  }

  #region(region: Region): number {
    this.#regions.push(region);
    return this.#regions.length - 1;
  }

  #join(before: readonly number[], around: AncestorContext): number {
    const only = before[0];
    if (before.length === 1 && only !== undefined) return only;
    const vertex = this.#vertex("join", around);
    for (const from of before) this.#edge(from, vertex);
    return vertex;
  }

  #latch(role: VertexRole, owner: number, around: AncestorContext): number {
    return this.#vertex("latch", around, { role, owner });
  }

  #latchAfter(role: VertexRole, owner: number, around: AncestorContext, before: readonly number[]): number {
    const vertex = this.#latch(role, owner, around);
    for (const from of before) this.#edge(from, vertex);
    return vertex;
  }

  #vertex(kind: Vertex["kind"], around?: AncestorContext, more?: Partial<Vertex>): number {
    this.#vertices.push({
      kind,
      pending: 0,
      open: false,
      successors: [],
      key: more?.key ?? NO_TASK,
      caps: around?.caps ?? [],
      region: around?.region ?? -1,
      owner: more?.owner ?? -1,
      role: more?.role ?? "none",
    });
    return this.#vertices.length - 1;
  }

  #edge(from: number, to: number): void {
    (this.#vertices[from] as Vertex).successors.push(to);
    (this.#vertices[to] as Vertex).pending += 1;
  }
}
