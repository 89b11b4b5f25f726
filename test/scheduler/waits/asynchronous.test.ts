import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("lets later siblings continue, but not the end of the run", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.approval("ok", { waitAsync: true }), at.task("a"), at.task("b")),
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.finished).toEqual(["a::0", "b::0"]);
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("holds up tasks that depend on it by name", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(at.event("go", {}, { waitAsync: true }), at.task("a"), at.task("b", { dependsOn: ["go"] })),
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  expect(run.finished).toEqual(["a::0"]);
  run.signal("go");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "go::0", "b::0"]);
});

it("runs a gated task beside its siblings once it is approved", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("gated", { needsApproval: true, waitAsync: true }), at.task("a")),
  });
  run.play();
  expect(run.finished).toEqual(["a::0"]);
  run.decide("gated", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "gated::0"]);
});

it("holds up the end of the iteration it belongs to", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 2 }, (inside) =>
        sequence(inside.approval("ok", { waitAsync: true }), inside.task("a")),
      ),
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.finished).toEqual(["a::0"]);
  run.decide("ok", true, 0);
  run.play();
  expect(run.finished).toEqual(["a::0", "ok::0", "a::1"]);
  run.decide("ok", true, 1);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("holds up the end of the block it belongs to", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.tryBlock("t", {
          try: sequence(at.approval("ok", { waitAsync: true }), at.task("a")),
          finally: at.task("f"),
        }),
        at.task("after"),
      ),
  });
  run.play();
  expect(run.finished).toEqual(["a::0"]);
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "ok::0", "f::0", "after::0"]);
});

it("does not hold up the group around it", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(parallel(at.approval("ok", { waitAsync: true }), at.task("a")), at.task("join")),
  });
  run.play();
  expect(run.finished).toEqual(["a::0", "join::0"]);
});
