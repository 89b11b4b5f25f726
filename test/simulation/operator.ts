import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPromise } from "node:util/types";
import { writtenId } from "../../src/model/address.js";
import type { AttemptRow, NodeRow } from "../../src/model/node.js";
import { isTerminal, isWaiting } from "../../src/model/run.js";
import { approveNode, denyNode } from "../../src/operations/decide-approval.js";
import { signalRun } from "../../src/operations/send-signal.js";
import type { ServiceDb } from "../../src/store/service-db.js";
import { buildWorkflow, OPTIONS, ordinal } from "./build.js";
import { type FamilyTree, familyOf, type Member } from "./family.js";
import type { AttemptPlace } from "./attempt-place.js";
import { canGoOn, type SimulatedHost } from "./host.js";
import { timesPending } from "../support/random-workflows/log.js";
import { Outside, type Wait } from "../support/random-workflows/outside.js";
import { everyPlan, type EventPlan, type Plan, type Scenario } from "../support/random-workflows/plan.js";

interface MemberWait extends Wait {
  readonly member: Member;
  readonly runId: string;
}

export interface OperatorRequest {
  rootId: string;
  scenario: Scenario;
  /** Failed attempts from before the run went back. @default it has not */
  forgiven?: (place: AttemptPlace) => number;
}

/** Steps after which a run counts as stuck. */
const MOST_STEPS = 400;

/**
 * Drives one simulated run to its end: decides, sends, and lets time pass, each
 * time by what the plan says, so that every run of a plan meets the same world.
 */
export class Operator {
  readonly #host: SimulatedHost;
  readonly #db: ServiceDb;
  readonly #scenario: Scenario;
  readonly #tree: FamilyTree;
  readonly #outside: Outside;
  /** A folder of the run's own, where it works with files. */
  #rootDir: string | undefined;

  constructor(host: SimulatedHost, db: ServiceDb, about: OperatorRequest) {
    this.#host = host;
    this.#db = db;
    this.#scenario = about.scenario;
    const { store } = host;
    const { workflow, childOf } = buildWorkflow(about.scenario.plans, (place) => {
      const forgiven = about.forgiven?.(place) ?? 0;
      const attempts = store.listAttempts(place.runId, place.nodeId, place.iteration);
      const count = (rows: AttemptRow[]) => rows.filter(({ state }) => state === "failed").length - forgiven;
      return isPromise(attempts) ? attempts.then(count) : count(attempts);
    });
    this.#outside = new Outside(about.scenario.plans);
    const subflows = new Map<string, Plan>();
    for (const plan of everyPlan(about.scenario.plans)) {
      if (plan.kind === "composite" && plan.of === "SuperService") {
        this.#rootDir ??= mkdtempSync(join(tmpdir(), "simulated-"));
      }
      if (plan.kind === "subflow") subflows.set(plan.id, plan);
    }
    this.#tree = {
      rootId: about.rootId,
      workflow,
      childOf: subflows.size === 0 ? undefined : (nodeId) => childOf(subflows.get(writtenId(nodeId)) as Plan),
    };
  }

  /** @param begin how the run begins, and whether its early signals were sent: one that is there already was made of another one */
  async operate({ isThere = false, wasSentEarly = false } = {}): Promise<void> {
    if (!isThere) this.#start();
    let early = wasSentEarly;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const died = await this.#host.settle();
      const members = await this.members();
      if (died) this.#host.bury(members);
      const root = members.findLast(({ name }) => !name.includes(":"));
      if (root === undefined) {
        this.#start();
        continue;
      }
      // Child runs that were given up still have a request to take up.
      if (root.run.status === "finished" && (await this.#wake(members))) continue;
      if (await this.#resumeFailed(root)) continue;
      if (isTerminal(root.run.status)) return;
      if (!died && !early) {
        early = true;
        if (await this.#sendEarly(members[0] as Member)) continue;
      }
      if (await this.#wake(members)) continue;
      if (await this.#answer(members)) continue;
      if (!this.#passTime(members)) throw new Error("The run is stuck: nothing moves it, not even time.");
    }
    throw new Error("The run does not end.");
  }

  /** Nothing of the run is needed any more. */
  close(): void {
    if (this.#rootDir !== undefined) rmSync(this.#rootDir, { recursive: true });
  }

  members(): Promise<Member[]> {
    return familyOf(this.#host.store, this.#tree);
  }

  #start(): void {
    const { rootId: runId, workflow } = this.#tree;
    const { maxConcurrency } = this.#scenario;
    const rootDir = this.#rootDir;
    this.#host.drive(workflow, {
      runId,
      input: {},
      maxConcurrency,
      ...(rootDir !== undefined && { rootDir }),
    });
  }

  #resume({ run, workflow }: Member): void {
    if (this.#host.isDriving(run)) return;
    this.#host.drive(workflow, { runId: run.runId, resume: true, force: true });
  }

  /** An operator gives the failed run another chance, as often as the scenario says. */
  async #resumeFailed(root: Member): Promise<boolean> {
    const { runId, status } = root.run;
    if (status !== "failed") return false;
    const log = await this.#host.store.listEvents(runId, { limit: 1_000_000 });
    const since = log.slice(log.findLastIndex(({ event }) => event.type === "RunRewound") + 1);
    const failures = since.filter(({ event }) => event.type === "RunFailed").length;
    if (failures > this.#scenario.resumes) return false;
    this.#resume(root);
    return true;
  }

  /** One run that no process drives although it could continue. Parents first: they drive their children. */
  async #wake(members: readonly Member[]): Promise<boolean> {
    const { store, clock } = this.#host;
    for (const member of members) {
      if (this.#host.isDriving(member.run)) continue;
      if (!(await canGoOn(store, member.run, clock.now()))) continue;
      this.#resume(member);
      return true;
    }
    return false;
  }

  async #answer(members: readonly Member[]): Promise<boolean> {
    const waits = [
      ...(await this.#waiting(members, "waiting-approval")),
      ...(await this.#waiting(members, "waiting-event")),
    ];
    const asked = new Map<MemberWait, number>();
    for (const wait of waits) asked.set(wait, await this.#timesAsked(wait));
    const found = this.#outside.next(waits, (wait) => asked.get(wait) ?? 0);
    if (found === undefined) return false;
    const { wait, act } = found;
    const { member, runId, nodeId, iteration } = wait;
    const request = { runId, nodeId, iteration, decidedBy: "operator" };
    const { clock } = this.#host;
    if ("sends" in act) await this.#signal(runId, act.sends, act.sends.event);
    else if (act.approves)
      await approveNode(this.#db, { ...request, ...(await this.#choice(request)) }, { clock });
    else await denyNode(this.#db, request, { clock });
    this.#resume(member);
    return true;
  }

  async #timesAsked({ runId, state, nodeId, iteration }: MemberWait): Promise<number> {
    if (state === "waiting-approval") return 1;
    const log = await this.#host.store.listEvents(runId, { limit: 1_000_000 });
    return timesPending(
      log.map(({ event }) => event),
      { nodeId, iteration },
    );
  }

  /** What the request asks for besides a yes. */
  async #choice({ runId, nodeId, iteration }: { runId: string; nodeId: string; iteration: number }) {
    const open = await this.#host.store.listApprovals({ runId, status: "requested", limit: 500 });
    const asked = open.find((row) => row.nodeId === nodeId && row.iteration === iteration);
    if (asked?.request.asksForData === true) return { data: { v: ordinal(nodeId) } };
    if (asked?.mode === "rank") return { ranked: [...OPTIONS].reverse() };
    return asked?.mode === "select" ? { selected: "y" } : {};
  }

  /** One signal for each that is to come before its waiter, to the run as it is after its first moments. */
  async #sendEarly(root: Member): Promise<boolean> {
    const { runId, status } = root.run;
    if (isTerminal(status)) return false;
    const early = this.#outside.sendEarly(runId);
    for (const plan of early) await this.#signal(runId, plan, plan.event);
    if (early.length > 0) this.#resume(root);
    return early.length > 0;
  }

  #signal(runId: string, { id, correlationId }: EventPlan, signal: string) {
    const data = { v: ordinal(id) };
    const request = { runId, signal, data, ...(correlationId !== null && { correlationId }) };
    return signalRun(this.#db, request, { clock: this.#host.clock });
  }

  async #waiting(members: readonly Member[], state: NodeRow["state"]): Promise<MemberWait[]> {
    const waits: MemberWait[] = [];
    for (const member of members) {
      if (isTerminal(member.run.status)) continue;
      const nodes = await this.#host.store.listNodes(member.run.runId);
      for (const node of [...nodes].sort(byId)) {
        const { nodeId, iteration } = node;
        if (node.state === state) waits.push({ member, runId: member.run.runId, nodeId, iteration, state });
      }
    }
    return waits;
  }

  #passTime(members: readonly Member[]): boolean {
    const { clock } = this.#host;
    let next = clock.nextTimer() ?? Number.POSITIVE_INFINITY;
    for (const { run } of members) {
      if (isWaiting(run.status) && run.wakeAtMs !== null) next = Math.min(next, run.wakeAtMs);
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    clock.moveTo(Math.max(next, clock.now()));
    return true;
  }
}

function byId(a: NodeRow, b: NodeRow): number {
  return a.nodeId === b.nodeId ? a.iteration - b.iteration : a.nodeId < b.nodeId ? -1 : 1;
}
