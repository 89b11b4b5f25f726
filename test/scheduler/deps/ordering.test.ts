import { expect, it } from "vitest";
import type { TaskDescriptor } from "../../../src/model/task.js";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const waysToDepend: [string, Partial<TaskDescriptor>][] = [
  ["dependsOn", { dependsOn: ["up"] }],
  ["needs", { needs: { row: "up" } }],
  ["deps", { deps: { row: { nodeId: "up", outputKey: "result" } } }],
];

it.each(waysToDepend)("orders a task by %s, also against document order", (_, props) => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("down", props), at.task("up")),
    script: { up: finishAfter(20) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["up::0", "down::0"]);
});

it("waits for each of several dependencies", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("a"),
        at.task("b"),
        at.task("c"),
        at.task("down", {
          dependsOn: ["a", "b"],
          needs: { row: "b" },
          deps: { other: { nodeId: "c", outputKey: "result" } },
        }),
      ),
    script: { a: finishAfter(5), b: finishAfter(30), c: finishAfter(10) },
  });
  run.play();
  expect(run.finished).toEqual(["a::0", "c::0", "b::0", "down::0"]);
});

it("lets a dependent continue after a skipped task, a skipped part, and a tolerated failure", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("skipped", { skipIf: true }),
        sequence(at.skipped().task("inside"), at.skipped().task("deeper")),
        at.task("broken", { continueOnFail: true, retries: 0 }),
        at.task("a", { dependsOn: ["skipped"] }),
        at.task("b", { dependsOn: ["deeper"] }),
        at.task("c", { dependsOn: ["broken"] }),
      ),
    script: { broken: { ...fail(), after: 10 } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect([...run.finished].sort()).toEqual(["a::0", "b::0", "c::0"]);
});

it("is met by a task that finished and has left the tree since", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        ...(at.has("up") ? [] : [at.task("up")]),
        at.task("middle"),
        at.task("down", { dependsOn: ["up"] }),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["up::0", "middle::0", "down::0"]);
});

it("is met once a task finishes that left the tree while it ran", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("quick"),
        ...(at.has("quick") ? [] : [at.task("up")]),
        at.task("down", { dependsOn: ["up"] }),
      ),
    script: { up: finishAfter(30) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["quick::0", "up::0", "down::0"]);
});

it("is met once a task that left the tree while it ran turns out not to apply", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("quick"),
        ...(at.has("quick") ? [] : [at.task("up")]),
        at.task("down", { dependsOn: ["up"] }),
      ),
    script: { up: { kind: "skip", after: 30 } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["quick::0", "down::0"]);
});

it("is met by a task that a later frame brings", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.task("down", { dependsOn: ["up"] }), at.task("a"), ...(at.has("a") ? [at.task("up")] : [])),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "up::0", "down::0"]);
});

it("does not keep a task from being skipped", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("down", { skipIf: true, dependsOn: ["nowhere"] }),
  });
  expect(run.play()).toEqual({ kind: "finished" });
});
