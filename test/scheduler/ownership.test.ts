import { expect, it } from "vitest";
import { taskKey } from "../../src/model/address.js";
import { Scheduler } from "../../src/scheduler/scheduler.js";
import { sequence } from "../support/scheduler/place.js";
import { ScriptedRun } from "../support/scheduler/scripted-run.js";

const A = taskKey({ nodeId: "a", iteration: 0 });

it("only events change the state: code with the view can only read it", () => {
  const scheduler = new Scheduler({ maxConcurrency: 1 });
  const { view } = scheduler;
  const write = () => {
    // @ts-expect-error: the view has no way in
    view.nodes.delete(A);
    const row = view.nodes.get(A)?.row;
    // @ts-expect-error: nor do its rows
    if (row !== undefined) row.finishedSeq = 1;
  };
  expect(write).toBeTypeOf("function");
  expect(view.cancelling).toBeNull();
  scheduler.step({ type: "intent", intent: { id: 1, atMs: 0, kind: "cancel", reason: "enough" } }, 0);
  expect(scheduler.view.cancelling).toMatchObject({ reason: "enough" });
});

it("the scheduler itself says in which order nodes have finished, after those that were done before the run", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  run.play();
  const place = (nodeId: string) => run.runSnapshot.nodes[taskKey({ nodeId, iteration: 0 })]?.finishedSeq;
  expect([place("a"), place("b")]).toEqual([0, 1]);

  const later = run.restart(run.runSnapshot, {
    plan: (at) => sequence(at.task("a"), at.task("b"), at.task("c")),
  });
  later.play();
  expect(later.runSnapshot.nodes[taskKey({ nodeId: "c", iteration: 0 })]?.finishedSeq).toBe(2);
});
