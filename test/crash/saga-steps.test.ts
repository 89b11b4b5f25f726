import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "../../src/engine/crash-points.js";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import type { Evidence } from "../support/crash/evidence.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";

// Each run is killed once, one step further than the run before it.
const POINTS: CrashPoint[] = ["before-start", "after-start", "after-commit"];
/** More steps than this saga has. */
const MOST_STEPS = 20;

let workshop: Workshop;
let undisturbed: RunHistory;
const stages = new Set<string>();

beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
  undisturbed = await saga("undisturbed");
});

afterAll(() => workshop.remove());

function saga(runId: string, ...deaths: Death[]): Promise<RunHistory> {
  return driveToTheEnd(workshop, { workflow: "saga", runId }, deaths.values());
}

/** How far the first process had brought a saga of two actions that are undone because the third fails. */
function stageAtDeath({ events, trail }: Evidence): string {
  const death = events.findIndex(({ event }) => event.type === "RunStarted" && event.resumed);
  const before = events.slice(0, death).map(({ event }) => event);
  const hasEnded = (nodeId: string) =>
    before.some(
      (event) => (event.type === "NodeFinished" || event.type === "NodeFailed") && event.nodeId === nodeId,
    );
  const hasRun = (nodeId: string) =>
    trail.some((line) => line.what === "ran" && line.nodeId === nodeId && line.attempt === 1);
  if (hasEnded("undo-1")) return "after the last compensation";
  if (!hasEnded("do-3")) return "while it acted";
  const undo = hasEnded("undo-2") ? "undo-1" : "undo-2";
  const hasBegun = before.some((event) => event.type === "NodeStarted" && event.nodeId === undo);
  return hasBegun && hasRun(undo) ? `during ${undo}` : `before ${undo}`;
}

describe("a saga whose process is killed once", () => {
  it.each(POINTS)("compensates each action once, at every %s that it dies at", async (point) => {
    for (let n = 1; n <= MOST_STEPS; n += 1) {
      const history = await saga(`${point}-${n}`, { kind: "point", point, n });
      if (history.kills === 0) return;
      expectSameOutcome(history, undisturbed);
      stages.add(stageAtDeath(history.evidence[0] as Evidence));
    }
    expect.unreachable("the saga has more steps than expected");
  });

  it("has died while it acted, before and during each compensation, and after them", () => {
    expect([...stages].sort()).toEqual([
      "after the last compensation",
      "before undo-1",
      "before undo-2",
      "during undo-1",
      "during undo-2",
      "while it acted",
    ]);
  });
});
