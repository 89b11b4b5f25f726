import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import { randomFrom, seedFromEnvironment } from "../support/crash/random.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";
import { WORKFLOW_NAMES, type WorkflowName } from "../support/crash/workflows.js";

/** Kills of one run before its processes are left alone. */
const DEATHS_PER_RUN = 5;
const KILLS_PER_WORKFLOW = 4;
/** Processes that are faster than their death do not count; this many runs must be enough. */
const MOST_RUNS = 30;

const seed = seedFromEnvironment();
let workshop: Workshop;
const undisturbed = new Map<WorkflowName, RunHistory>();

beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
  for (const workflow of WORKFLOW_NAMES) {
    undisturbed.set(workflow, await driveToTheEnd(workshop, { workflow, runId: workflow }, noDeaths));
  }
});

afterAll(() => workshop.remove());

const noDeaths: Iterator<Death> = [].values();

/** Moments between the start of driving and the usual end of it. */
function* moments(random: () => number, usualMs: number): Generator<Death> {
  for (let count = 0; count < DEATHS_PER_RUN; count += 1) yield { kind: "time", ms: random() * usualMs };
}

describe.each(WORKFLOW_NAMES)("a %s whose processes are killed at random times", (workflow) => {
  it(`ends as if nothing had happened (CRASH_SEED=${seed} repeats these times)`, async () => {
    const usual = undisturbed.get(workflow) as RunHistory;
    const random = randomFrom(seed + WORKFLOW_NAMES.indexOf(workflow));
    let kills = 0;
    for (let run = 0; kills < KILLS_PER_WORKFLOW; run += 1) {
      expect(run, `only ${kills} kills so far`).toBeLessThan(MOST_RUNS);
      const deaths = moments(random, usual.droveMs);
      const history = await driveToTheEnd(workshop, { workflow, runId: `${workflow}-${run}` }, deaths);
      expectSameOutcome(history, usual);
      kills += history.kills;
    }
  });
});
