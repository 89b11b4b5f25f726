import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/crash-points.js";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";
import { WORKFLOW_NAMES, type WorkflowName } from "../support/crash/workflows.js";

/** Deaths of consecutive processes at one point: each gets a little further than the one before. */
function* creeping(point: CrashPoint, first: number): Generator<Death> {
  for (let n = first; ; n += 1) yield { kind: "point", point, n };
}

function* inTurn(...places: [point: CrashPoint, n: number][]): Generator<Death> {
  for (const [point, n] of places) yield { kind: "point", point, n };
}

/** Points that a run passes with everything it does, and where the first process dies. */
const FREQUENT: [CrashPoint, number[]][] = [
  ["before-commit", [1, 4]],
  ["after-commit", [1, 3]],
  ["before-start", [1, 3]],
  ["after-start", [1, 4]],
  ["attempt-settled", [1, 3]],
];

/** Points that a process passes once, combined with others that bring the run there. */
const RARE: Record<string, [point: CrashPoint, n: number][]> = {
  "the creation of the run, then its first commit": [
    ["run-created", 1],
    ["before-commit", 1],
  ],
  "both sides of a claim": [
    ["after-commit", 3],
    ["before-claim", 1],
    ["after-claim", 1],
    ["after-claim", 1],
  ],
  "both sides of the end": [
    ["before-end", 1],
    ["before-end", 1],
    ["after-end", 1],
  ],
};

let workshop: Workshop;
const undisturbed = new Map<WorkflowName, RunHistory>();
const diedAt = new Set<string>();
let kills = 0;

beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
  for (const workflow of WORKFLOW_NAMES) {
    undisturbed.set(workflow, await driveToTheEnd(workshop, { workflow, runId: workflow }, inTurn()));
  }
}, 60_000);

afterAll(() => workshop.remove());

async function expectUnharmed(workflow: WorkflowName, runId: string, deaths: Iterator<Death>) {
  const history = await driveToTheEnd(workshop, { workflow, runId }, deaths);
  expectSameOutcome(history, undisturbed.get(workflow) as RunHistory);
  kills += history.kills;
  return history.kills;
}

describe.each(WORKFLOW_NAMES)("a %s whose processes are killed", (workflow) => {
  for (const [point, firsts] of FREQUENT) {
    it(`at ${point} ends as if nothing had happened`, async () => {
      for (const first of firsts) {
        const died = await expectUnharmed(workflow, `${workflow}-${point}-${first}`, creeping(point, first));
        expect(died, `${point}:${first} was never reached`).toBeGreaterThan(0);
      }
      diedAt.add(point);
    }, 60_000);
  }

  for (const [name, places] of Object.entries(RARE)) {
    it(`at ${name} ends as if nothing had happened`, async () => {
      const runId = `${workflow}-${places.map(([point]) => point).join("-")}`;
      expect(await expectUnharmed(workflow, runId, inTurn(...places))).toBe(places.length);
      for (const [point] of places) diedAt.add(point);
    }, 60_000);
  }
});

describe("the suite of named points", () => {
  it("has killed at every point that the engine names", () => {
    expect([...diedAt].sort()).toEqual([...CRASH_POINTS].sort());
  });

  it("has killed often enough to mean something", () => {
    // Together with the kills at random times: more than 200.
    expect(kills).toBeGreaterThanOrEqual(145);
  });
});
