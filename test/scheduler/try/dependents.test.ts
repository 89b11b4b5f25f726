import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = fail("boom", "AGENT_CONFIG_INVALID");

it("lets tasks outside continue that depend on failed or skipped tasks of a handled block", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.tryBlock("t", {
          try: parallel(at.task("first"), sequence(at.task("second"), at.task("never"))),
          catch: at.task("rescue"),
        }),
        at.task("after-first", { dependsOn: ["first"] }),
        at.task("after-second", { dependsOn: ["second"] }),
        at.task("after-never", { dependsOn: ["never"] }),
      ),
    script: { first: fatal, second: { ...fatal, after: 5 }, rescue: finishAfter(10) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect([...run.finished].sort()).toEqual([
    "after-first::0",
    "after-never::0",
    "after-second::0",
    "rescue::0",
  ]);
  for (const runSnapshot of run.images) expect(run.restart(runSnapshot).play()).toEqual({ kind: "finished" });
});

it("skips a task that a later frame adds to a block which is over", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.tryBlock("t", {
          try: sequence(at.task("a"), ...(at.has("after") ? [at.task("late")] : [])),
          catch: at.task("rescue"),
        }),
        at.task("after"),
        at.task("last"),
      ),
    script: { a: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["rescue::0", "after::0", "last::0"]);
  expect(run.stateOf("late")).toBe("skipped");
});
