import { generateCrowd, generateScenario } from "../random-workflows/generate.js";
import { isRacy, type Scenario } from "../random-workflows/plan.js";
import { planText } from "../random-workflows/plan-text.js";
import { Random } from "../random-workflows/random.js";
import { BARE } from "../random-workflows/shape.js";
import { type ScriptedScenario, scriptedScenario } from "./scripted-scenario.js";

/** One case of a property. */
export interface Case {
  scenario: ScriptedScenario;
  maxConcurrency: number;
  /** For what else is left to chance. */
  random: Random;
}

/** Workflows of every kind that the scheduler knows. */
export const anyWorkflow = (seed: number): Scenario => generateScenario(seed, BARE);

/** Short tasks that come and go with one another's rows. */
export const crowd = generateCrowd;

/** The same, but for those whose end is a matter of time: what stops other tasks stands beside them. */
export function calmWorkflow(seed: number): Scenario {
  for (let at = seed * 1_000; ; at += 1) {
    const scenario = generateScenario(at, BARE);
    if (!isRacy(scenario)) return scenario;
  }
}

/**
 * Tries a property with so many random workflows, the same each time. `RUNS` tries
 * more, `PROPERTY_SEED` begins elsewhere. A failure is reported with its seed and as a tree.
 */
export function forEachCase(
  most: number,
  scenarioOf: (seed: number) => Scenario,
  check: (tried: Case) => void,
): void {
  const from = Number(process.env.PROPERTY_SEED ?? 1);
  const until = from + Number(process.env.RUNS ?? most);
  for (let seed = from; seed < until; seed += 1) {
    const scenario = scenarioOf(seed);
    const random = new Random(seed);
    try {
      check({ scenario: scriptedScenario(scenario), maxConcurrency: random.int(1, 6), random });
    } catch (error) {
      const failure = error as Error;
      const tree = planText(scenario.plans, "  ");
      failure.message += `\n\nPROPERTY_SEED=${seed} RUNS=1 tries this workflow:\n${tree}`;
      throw failure;
    }
  }
}
