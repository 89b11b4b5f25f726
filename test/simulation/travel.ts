import type { Store } from "../../src/store/contract.js";
import type { ServiceDb } from "../../src/store/service-db.js";
import { parseTaskKey, taskKey } from "../../src/model/address.js";
import { forkRun } from "../../src/operations/fork-run.js";
import { rewindRun } from "../../src/operations/rewind-run.js";
import { generateScenario } from "../support/random-workflows/generate.js";
import { isChain, isRacy, type Scenario } from "../support/random-workflows/plan.js";
import { planText } from "../support/random-workflows/plan-text.js";
import { SimulatedHost } from "./host.js";
import { openStore, type SimulatedDatabase } from "./open-store.js";
import { Operator } from "./operator.js";
import { differences, openEnds, type Outcome, readOutcome } from "./outcome.js";

export interface TravelReport {
  problems: string[];
  /** Frames that runs were made of, or taken back to. */
  frames: number;
}

/** What becomes of the past of a run: a run of its own, or the run itself. */
export type Travel = "fork" | "rewind";

const ROOT = "first";
const MOST_REWINDS = 20;

/**
 * Runs the seed's workflow to its end. Then, for each of its frames, another run begins there, or the run goes back
 * there, and meets the same world: it must come to the same.
 */
export async function travelEverywhere(seed: number, travel: Travel = "fork"): Promise<TravelReport> {
  const scenario = generateScenario(seed);
  const report: TravelReport = { problems: [], frames: 0 };
  // The next run of a chain is another run, with frames of its own.
  if (isChain(scenario)) return report;
  const world = new World(scenario, await openStore("sqlite"));
  try {
    await world.operate(ROOT);
    const calm = await world.outcome(ROOT);
    const newest = (await world.store.getRun(ROOT))?.frameNo ?? 0;
    const before = await world.rowsOf(ROOT);
    const isContinued = (await world.store.getRun(ROOT))?.status === "continued";
    // What came of such a run is in another one; and a run that goes back has a longer log each time.
    if (travel === "rewind" && (isContinued || newest > MOST_REWINDS)) return report;
    for (let frameNo = 1; frameNo <= newest; frameNo += 1) {
      report.frames += 1;
      const found = travel === "fork" ? await world.fork(frameNo) : await world.rewind(frameNo);
      const again = await world.outcome(travel === "fork" ? `at${frameNo}` : ROOT);
      const isLoose = isRacy(scenario) || calm["root"]?.status !== "finished";
      found.push(...differences(withoutUnbegun(calm), withoutUnbegun(again), isLoose));
      if (found.length === 0) continue;
      report.problems.push(
        `Seed ${seed}, frame ${frameNo} of ${newest}:`,
        ...found.map((each) => `  ${each}`),
      );
      report.problems.push(planText(scenario.plans, "    "));
      break;
    }
    if (travel === "fork" && (await world.rowsOf(ROOT)) !== before)
      report.problems.push(`Seed ${seed}: a fork has changed the run it was made of.`);
  } finally {
    await world.close();
  }
  return report;
}

class World {
  readonly store: Store;
  readonly close: SimulatedDatabase["close"];
  readonly #db: ServiceDb;
  readonly #scenario: Scenario;

  constructor(scenario: Scenario, { store, db, close }: SimulatedDatabase) {
    this.store = store;
    this.close = close;
    this.#db = db;
    this.#scenario = scenario;
  }

  async fork(frameNo: number): Promise<string[]> {
    const newRunId = `at${frameNo}`;
    await forkRun(this.#db, { runId: ROOT, frameNo, newRunId });
    return this.operate(newRunId, { isThere: true, wasSentEarly: await this.#hasSignalsAt(frameNo) });
  }

  async rewind(frameNo: number): Promise<string[]> {
    const wasSentEarly = await this.#hasSignalsAt(frameNo);
    const { resetNodes } = await rewindRun(this.#db, { runId: ROOT, frameNo, acceptEffects: true });
    // Their failures are those of attempts from here on.
    for (const key of resetNodes) this.#forgiven.set(key, await this.#failed(key));
    return this.operate(ROOT, { isThere: true, wasSentEarly });
  }

  /** Failed attempts of nodes that a rewind has reset since. */
  readonly #forgiven = new Map<string, number>();

  async #failed(key: string): Promise<number> {
    const { nodeId, iteration } = parseTaskKey(key);
    const attempts = await this.store.listAttempts(ROOT, nodeId, iteration);
    return attempts.filter(({ state }) => state === "failed").length;
  }

  async operate(
    rootId: string,
    begin: { isThere?: boolean; wasSentEarly?: boolean } = {},
  ): Promise<string[]> {
    const host = new SimulatedHost(this.store, []);
    const operator = new Operator(host, this.#db, {
      rootId,
      scenario: this.#scenario,
      forgiven: (place) => (place.runId === ROOT ? (this.#forgiven.get(taskKey(place)) ?? 0) : 0),
    });
    try {
      await operator.operate(begin);
      return await openEnds(this.store, await operator.members());
    } catch (error) {
      return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    } finally {
      host.close();
      operator.close();
      this.#members.set(rootId, await operator.members());
    }
  }

  readonly #members = new Map<string, Awaited<ReturnType<Operator["members"]>>>();

  outcome(rootId: string): Promise<Outcome> {
    return readOutcome(this.store, this.#members.get(rootId) ?? []);
  }

  /** Everything that is stored of a run. */
  async rowsOf(runId: string): Promise<string> {
    const { store } = this;
    return JSON.stringify([
      await store.loadRun(runId, { asStored: true }),
      await store.listAttempts(runId),
      await store.listEvents(runId, { limit: 1_000_000 }),
      await store.listFrames(runId, { limit: 1_000_000 }),
    ]);
  }

  async #hasSignalsAt(frameNo: number): Promise<boolean> {
    const seq = (await this.store.rowsAsOf(ROOT, frameNo))?.seq ?? -1;
    const log = await this.store.listEvents(ROOT, {
      types: ["SignalReceived"],
      beforeSeq: seq + 1,
      limit: 1,
    });
    return log.length > 0;
  }
}

/** Child runs that had ended by the frame are not run again, and a past has no tasks that had left the tree before they began. */
function withoutUnbegun({ root }: Outcome): Outcome {
  if (root === undefined) return {};
  const nodes = Object.entries(root.nodes).filter(([, state]) => state !== "cancelled after 0");
  return { root: { ...root, nodes: Object.fromEntries(nodes) } };
}
