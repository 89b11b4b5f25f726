import type { NodeRow } from "../../src/model/node.js";
import { isTerminal, type RunRow } from "../../src/model/run.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import { approveNode, denyNode } from "../../src/operations/decide-approval.js";
import { signalRun } from "../../src/operations/send-signal.js";
import type { ServiceDb } from "../../src/store/service-db.js";
import { buildWorkflow, OPTIONS, ordinal } from "./build.js";
import { canGoOn, type SimulatedHost } from "./host.js";
import { type Answer, everyPlan, type EventPlan, type Plan } from "./plan.js";

/** Steps after which a run counts as stuck. */
const MOST_STEPS = 400;

/**
 * Drives one simulated run to its end: decides, sends, and lets time pass, each
 * time by what the plan says, so that every run of a plan meets the same world.
 */
export class Operator {
  readonly #host: SimulatedHost;
  readonly #db: ServiceDb;
  readonly #rootId: string;
  readonly #workflow: ServiceWorkflow;
  readonly #childWorkflows = new Map<string, Plan>();
  readonly #answers = new Map<string, Answer>();
  readonly #events = new Map<string, EventPlan>();
  readonly #sent = new Set<string>();
  readonly #childOf: (plan: Plan) => ServiceWorkflow;

  constructor(host: SimulatedHost, db: ServiceDb, about: { rootId: string; plans: readonly Plan[] }) {
    this.#host = host;
    this.#db = db;
    this.#rootId = about.rootId;
    const { store } = host;
    const built = buildWorkflow(about.plans, ({ runId, nodeId, iteration }) => {
      return store.listAttempts(runId, nodeId, iteration).filter(({ state }) => state === "failed").length;
    });
    this.#workflow = built.workflow;
    this.#childOf = built.childOf;
    for (const plan of everyPlan(about.plans)) {
      if (plan.kind === "task" && plan.gate !== null) this.#answers.set(plan.id, plan.gate);
      if (plan.kind === "approval" || plan.kind === "human") this.#answers.set(plan.id, plan.answer);
      if (plan.kind === "event") this.#events.set(plan.id, plan);
      if (plan.kind === "subflow") this.#childWorkflows.set(plan.id, plan);
    }
  }

  async operate(): Promise<void> {
    this.#host.drive(this.#workflow, { runId: this.#rootId, input: {} });
    let early = false;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const died = await this.#host.settle();
      if (!died && !early && this.#host.store.getRun(this.#rootId) !== undefined) {
        early = true;
        if (await this.#sendEarly()) continue;
      }
      const runs = this.runs();
      if (runs.length === 0) {
        this.#host.drive(this.#workflow, { runId: this.#rootId, input: {} });
        continue;
      }
      if (isTerminal((runs.filter(({ runId }) => !runId.includes(":")).at(-1) as RunRow).status)) return;
      if (this.#wake(runs)) continue;
      if (await this.#decide(runs)) continue;
      if (await this.#send(runs)) continue;
      if (!this.#passTime(runs)) throw new Error("The run is stuck: nothing moves it, not even time.");
    }
    throw new Error("The run does not end.");
  }

  /** The root, the runs that continue it, and the child runs of each, in a fixed order. */
  runs(): RunRow[] {
    const { store } = this.#host;
    const runs: RunRow[] = [];
    const add = (first: string) => {
      for (let run = store.getRun(first); run !== undefined; ) {
        runs.push(run);
        const children = store.listRuns({ parentRunId: run.runId, limit: 1_000 });
        for (const child of children.sort((a, b) => (a.runId < b.runId ? -1 : 1))) {
          if (child.runId.startsWith(`${run.runId}:`)) add(child.runId);
        }
        run = run.nextRunId === null ? undefined : store.getRun(run.nextRunId);
      }
    };
    add(this.#rootId);
    return runs;
  }

  #workflowOf(runId: string): ServiceWorkflow {
    if (!runId.includes(":")) return this.#workflow;
    const nodeId = baseId(runId.split(":").at(-2) as string);
    return this.#childOf(this.#childWorkflows.get(nodeId) as Plan);
  }

  #resume(runId: string): void {
    this.#host.drive(this.#workflowOf(runId), { runId, resume: true, force: true });
  }

  /** One run that nobody drives although it could go on. Parents first: they drive their children. */
  #wake(runs: readonly RunRow[]): boolean {
    const { store, clock } = this.#host;
    for (const run of runs) {
      if (this.#host.isDriving(run) || !canGoOn(store, run, clock.now())) continue;
      this.#resume(run.runId);
      return true;
    }
    return false;
  }

  async #decide(runs: readonly RunRow[]): Promise<boolean> {
    for (const { run, node } of this.#waiting(runs, "waiting-approval")) {
      const answer = this.#answers.get(baseId(node.nodeId));
      // A subflow that waits is not asked itself.
      if (answer === undefined || answer === "ignore" || this.#isKnown(run, node)) continue;
      const { runId } = run;
      const { nodeId, iteration } = node;
      const request = { runId, nodeId, iteration, decidedBy: "operator" };
      if (answer === "deny") await denyNode(this.#db, request, this.#host);
      else {
        const data = { v: ordinal(nodeId) };
        const ranked = [...OPTIONS].reverse();
        await approveNode(this.#db, { ...request, selected: "y", ranked, data }, this.#host);
      }
      if (!this.#host.isDriving(run)) this.#resume(runId);
      return true;
    }
    return false;
  }

  async #send(runs: readonly RunRow[]): Promise<boolean> {
    for (const { run, node } of this.#waiting(runs, "waiting-event")) {
      const plan = this.#events.get(baseId(node.nodeId));
      if (plan === undefined || plan.sent === "never" || this.#isKnown(run, node)) continue;
      await this.#signal(run.runId, plan, plan.event);
      if (!this.#host.isDriving(run)) this.#resume(run.runId);
      return true;
    }
    return false;
  }

  /** One signal for each that is to come before its waiter, to the run as it is after its first moments. */
  async #sendEarly(): Promise<boolean> {
    const run = this.#host.store.getRun(this.#rootId);
    if (run === undefined || isTerminal(run.status)) return false;
    let isSent = false;
    for (const plan of this.#events.values()) {
      if (plan.sent !== "early") continue;
      this.#sent.add(`${this.#rootId} ${plan.id} 0`);
      await this.#signal(this.#rootId, plan, plan.event);
      isSent = true;
    }
    if (isSent && !this.#host.isDriving(run)) this.#resume(this.#rootId);
    return isSent;
  }

  #signal(runId: string, { id, correlationId }: EventPlan, signal: string) {
    const data = { v: ordinal(id) };
    const request = { runId, signal, data, ...(correlationId !== null && { correlationId }) };
    return signalRun(this.#db, request, this.#host);
  }

  /** Marks the wait; true when it was marked before. */
  #isKnown(run: RunRow, node: NodeRow): boolean {
    const key = `${run.runId} ${node.nodeId} ${node.iteration}`;
    if (this.#sent.has(key)) return true;
    this.#sent.add(key);
    return false;
  }

  *#waiting(runs: readonly RunRow[], state: NodeRow["state"]) {
    for (const run of runs) {
      if (isTerminal(run.status)) continue;
      for (const node of this.#host.store.listNodes(run.runId).sort(byId)) {
        if (node.state === state) yield { run, node };
      }
    }
  }

  #passTime(runs: readonly RunRow[]): boolean {
    const { store, clock } = this.#host;
    let next = clock.nextTimer() ?? Number.POSITIVE_INFINITY;
    for (const run of runs) {
      if (isTerminal(run.status)) continue;
      for (const { dueAtMs } of store.listNodes(run.runId)) {
        if (dueAtMs !== null && dueAtMs > clock.now() && dueAtMs < next) next = dueAtMs;
      }
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    clock.moveTo(Math.max(next, clock.now()));
    return true;
  }
}

function byId(a: NodeRow, b: NodeRow): number {
  return a.nodeId === b.nodeId ? a.iteration - b.iteration : a.nodeId < b.nodeId ? -1 : 1;
}

/** The id as the plan has it: nested loops add to it. */
export function baseId(nodeId: string): string {
  return nodeId.split("@@")[0] as string;
}
