import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("a task whose attempt was interrupted is not said to have left the tree before it started", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  run.playNext();
  expect(run.stateOf("b")).toBe("in-progress");
  const rest = run.restart(run.runSnapshot, { plan: (at) => at.task("a") });
  rest.play();
  expect(rest.events).toContainEqual(
    expect.objectContaining({
      type: "NodeCancelled",
      nodeId: "b",
      reason: "it left the tree before another attempt",
    }),
  );
});

it("one that was not tried is", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  const rest = run.restart(run.runSnapshot, { plan: (at) => at.task("a") });
  rest.play();
  expect(rest.events).toContainEqual(
    expect.objectContaining({
      type: "NodeCancelled",
      nodeId: "b",
      reason: "it left the tree before it started",
    }),
  );
});
