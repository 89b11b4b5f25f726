import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = fail("boom", "AGENT_CONFIG_INVALID");

it("lets tasks continue that depend on a loop of a handled block, however deep the failure was", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.tryBlock("outer", {
          try: at.loop("l", { maxIterations: 5 }, (inside) =>
            inside.tryBlock("inner", { try: sequence(inside.task("x"), inside.task("y")) }),
          ),
          catch: at.task("rescue"),
        }),
        at.task("after-x", { dependsOn: ["x"] }),
        at.task("after-y", { dependsOn: ["y"] }),
      ),
    script: { "x::1": fatal, rescue: finishAfter(5) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished.slice(0, 3)).toEqual(["x::0", "y::0", "rescue::0"]);
  expect([...run.finished.slice(3)].sort()).toEqual(["after-x::0", "after-y::0"]);
  run.images.forEach((runSnapshot) => expect(run.restart(runSnapshot).play()).toEqual({ kind: "finished" }));
});

it("ends a loop of a failed block whose iteration has a block that was skipped", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.tryBlock("outer", {
          try: parallel(
            at.task("a"),
            sequence(
              at.task("slow"),
              at.loop("l", { maxIterations: 3 }, (inside) =>
                inside.tryBlock("inner", { try: inside.task("x"), finally: inside.task("y") }),
              ),
            ),
          ),
          catch: at.task("rescue"),
        }),
        at.task("after-x", { dependsOn: ["x"] }),
      ),
    script: { a: fatal, slow: finishAfter(10) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("x")).toBe("skipped");
  expect([...run.finished].sort()).toEqual(["after-x::0", "rescue::0", "slow::0"]);
});
