import type { Fuse } from "../../src/testing/mortal-process.js";
import { generateScenario } from "../support/random-workflows/generate.js";
import { SimulatedHost } from "./host.js";
import { brokenInvariants, finishedAgain } from "./invariants.js";
import { openStore, type SimulatedDatabase, type StoreName } from "./open-store.js";
import { Operator } from "./operator.js";
import { Order } from "../support/random-workflows/order.js";
import { asOneRun, differences, openEnds, type Outcome, readOutcome } from "./outcome.js";
import { isChain, isRacy, type Scenario, withoutChains } from "../support/random-workflows/plan.js";
import { planText } from "../support/random-workflows/plan-text.js";
import { Random } from "../support/random-workflows/random.js";

export interface SeedReport {
  seed: number;
  /** Empty when everything held. */
  problems: string[];
  runs: number;
  commits: number;
  isRacy: boolean;
}

/** Seeds of one process share a database for this many runs: opening one costs more than a run, a full one slows them down. */
const RUNS_PER_DATABASE = { sqlite: 60, postgres: 1_000, pglite: 1_000 };

export interface SeedOptions {
  /** Crashes at every commit, before and after it, instead of a sample. */
  exhaustive?: boolean;
}

/** Simulates seeds one after the other. */
export class Simulation {
  readonly #on: StoreName;
  #database: SimulatedDatabase | undefined;
  #runs = 0;

  constructor(on: StoreName = "sqlite") {
    this.#on = on;
  }

  /** Runs the seed's workflow undisturbed, then with crashes, and compares. */
  async seed(seed: number, options: SeedOptions = {}): Promise<SeedReport> {
    const scenario = generateScenario(seed);
    const report: SeedReport = { seed, problems: [], runs: 1, commits: 0, isRacy: isRacy(scenario) };
    const calm = await this.#run(scenario, []);
    report.commits = calm.commits;
    if (calm.problems.length > 0) {
      report.problems.push(this.#describe(seed, scenario, { fuses: [], problems: calm.problems }));
      return report;
    }
    if (isChain(scenario)) {
      const single = await this.#run(withoutChains(scenario), []);
      report.runs += 1;
      const problems = [...single.problems];
      if (problems.length === 0 && calm.outcome !== null && single.outcome !== null) {
        problems.push(...differences(asOneRun(single.outcome), asOneRun(calm.outcome), false));
      }
      if (problems.length > 0) {
        const told = ["a chain of runs comes to something else than a single run:", ...problems];
        report.problems.push(this.#describe(seed, scenario, { fuses: [], problems: told }));
        return report;
      }
    }
    for (const fuses of crashPlans(seed, calm.commits, options)) {
      const crashed = await this.#run(scenario, fuses);
      report.runs += 1;
      const problems = [...crashed.problems];
      if (problems.length === 0 && calm.outcome !== null && crashed.outcome !== null) {
        problems.push(...differences(calm.outcome, crashed.outcome, report.isRacy));
      }
      if (problems.length === 0) continue;
      report.problems.push(this.#describe(seed, scenario, { fuses, problems }));
      break;
    }
    return report;
  }

  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }

  async #run(scenario: Scenario, fuses: readonly Fuse[]): Promise<SimulatedRun> {
    this.#runs += 1;
    if (this.#runs % RUNS_PER_DATABASE[this.#on] === 0) await this.close();
    this.#database ??= await openStore(this.#on);
    const { store, db } = this.#database;
    const host = new SimulatedHost(store, fuses);
    const operator = new Operator(host, db, { rootId: `run${this.#runs}`, scenario });
    const problems: string[] = [];
    try {
      await operator.operate();
    } catch (error) {
      problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      host.close();
      operator.close();
    }
    const members = await operator.members();
    problems.push(...(await openEnds(store, members)));
    const order = new Order(scenario.plans);
    if (isChain(scenario)) problems.push(...(await finishedAgain(store, members)));
    for (const { run } of members) problems.push(...(await brokenInvariants(store, run.runId, order)));
    return { problems, commits: host.commits, outcome: await readOutcome(store, members) };
  }

  #describe(
    seed: number,
    { plans, maxConcurrency }: Scenario,
    found: { fuses: readonly Fuse[]; problems: readonly string[] },
  ): string {
    const crashes = found.fuses.map(({ commit, when }) => `${when} commit ${commit}`).join(", then ");
    return [
      `Seed ${seed} on ${this.#on}, ${crashes === "" ? "undisturbed" : `crash ${crashes}`}, maxConcurrency ${maxConcurrency}:`,
      ...found.problems.map((problem) => `  ${problem}`),
      planText(plans, "    "),
      `  npm run simulate -- --store ${this.#on} --from ${seed} --seeds 1${isSingle(found.fuses) ? " --exhaustive" : ""}`,
    ].join("\n");
  }
}

interface SimulatedRun {
  problems: string[];
  commits: number;
  outcome: Outcome | null;
}

/** Each entry is one run: the crash of its first process, of its second, and so on. */
function crashPlans(seed: number, commits: number, { exhaustive = false }: SeedOptions): Fuse[][] {
  const random = new Random(seed + 7_654_321);
  const any = (): Fuse => ({ commit: random.int(1, commits), when: random.chance(0.5) ? "before" : "after" });
  if (!exhaustive) return [[any()], [any()], [any(), ...Array.from({ length: random.int(1, 4) }, any)]];
  const each: Fuse[][] = [];
  for (let commit = 1; commit <= commits; commit += 1) {
    each.push([{ commit, when: "before" }], [{ commit, when: "after" }]);
  }
  return each;
}

function isSingle(fuses: readonly Fuse[]): boolean {
  return fuses.length === 1;
}
