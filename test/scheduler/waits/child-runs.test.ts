import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import type { Outcome } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const suspend: Outcome = { kind: "park", status: "waiting-timer", after: 10 };
const finish: Outcome = { kind: "finish", after: 10 };

it("a subflow whose child waits is waited for, and looks again when the child has ended", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("sub", { kind: "subflow" }), at.task("next")),
    script: { sub: [suspend, finish] },
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-timer" });
  run.send({ kind: "wake", nodeId: "sub", iteration: 0 });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["sub::0", "sub::0", "next::0"]);
});

it("a child that ended while its subflow was about to wait for it is looked at again", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("sub", { kind: "subflow" }),
    script: { sub: [suspend, finish] },
  });
  run.advance(5);
  run.send({ kind: "wake", nodeId: "sub", iteration: 0 });
  expect(run.play()).toEqual({ kind: "finished" });
});

it("the end of one child does not start the subflows of others again", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("one", { kind: "subflow" }), at.task("two", { kind: "subflow" })),
    script: { one: [suspend, finish], two: suspend },
  });
  run.play();
  run.send({ kind: "wake", nodeId: "one", iteration: 0 });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-timer" });
  expect(run.started).toEqual(["one::0", "two::0", "one::0"]);
});
