import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/crash-points.js";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";
import { type ShortName, WORKFLOW_NAMES, type WorkflowName } from "../support/crash/workflows.js";

/** Deaths of consecutive processes at one point: each gets a little further than the one before. */
function* creeping(point: CrashPoint, first: number): Generator<Death> {
  for (let n = first; ; n += 1) yield { kind: "point", point, n };
}

function* inTurn(...places: [point: CrashPoint, n: number][]): Generator<Death> {
  for (const [point, n] of places) yield { kind: "point", point, n };
}

/** Points that a run passes with everything it does. */
const FREQUENT: CrashPoint[] = [
  "before-commit",
  "after-commit",
  "before-start",
  "after-start",
  "attempt-completed",
];

/** Points that a process passes at most once, and what brings the run there. */
const RARE: [point: CrashPoint, n: number][] = [
  ["run-created", 1],
  ["before-commit", 1],
  ["after-commit", 2],
  ["before-claim", 1],
  ["after-claim", 1],
  ["after-claim", 1],
  ["before-end", 1],
  ["before-end", 1],
  ["after-end", 1],
];

let workshop: Workshop;
const undisturbed = new Map<WorkflowName, RunHistory>();
const diedAt = new Set<string>();
let kills = 0;

beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
  for (const workflow of WORKFLOW_NAMES) {
    undisturbed.set(workflow, await driveToTheEnd(workshop, { workflow, runId: workflow }, inTurn()));
  }
});

afterAll(() => workshop.remove());

async function expectUnharmed(workflow: WorkflowName, runId: string, deaths: Iterator<Death>) {
  const history = await driveToTheEnd(workshop, { workflow, runId }, deaths);
  expectSameOutcome(history, undisturbed.get(workflow) as RunHistory);
  kills += history.kills;
  return history.kills;
}

/** Every workflow dies around its commits; at each of the other points every third one does. */
function frequentPointsOf(workflow: ShortName): (readonly [index: number, point: CrashPoint])[] {
  const place = WORKFLOW_NAMES.indexOf(workflow);
  return FREQUENT.map((point, index) => [index, point] as const).filter(
    ([index, point]) => point.endsWith("-commit") || (place + index) % 3 === 0,
  );
}

describe.each(WORKFLOW_NAMES)("a %s whose processes are killed", (workflow) => {
  frequentPointsOf(workflow).forEach(([index, point]) => {
    it(`at ${point} ends as if nothing had happened`, async () => {
      // Where the first process dies differs, so that together the runs die everywhere.
      const first = 1 + ((WORKFLOW_NAMES.indexOf(workflow) + index) % 2);
      const died = await expectUnharmed(workflow, `${workflow}-${point}`, creeping(point, first));
      expect(died, `${point}:${first} was never reached`).toBeGreaterThan(0);
      diedAt.add(point);
    });
  });

  it("while it is created, claimed and ended ends as if nothing had happened", async () => {
    expect(await expectUnharmed(workflow, `${workflow}-rare`, inTurn(...RARE))).toBe(RARE.length);
    for (const [point] of RARE) diedAt.add(point);
  });
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
