import { expect, it } from "vitest";
import { capped, parallel } from "../../support/scheduler/place.js";
import { finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const asks = (run: ScriptedRun) =>
  run.exchanges.flatMap(({ commands }) =>
    commands.flatMap((command) => (command.type === "ask-slot" ? [command.key] : [])),
  );
const returned = (run: ScriptedRun) =>
  run.exchanges.flatMap(({ commands }) =>
    commands.flatMap((command) => (command.type === "free-slot" && command.isUnused ? [command.key] : [])),
  );

it("starts a task that needs a slot once it gets one, and is not running meanwhile", () => {
  const run = new ScriptedRun({ plan: (at) => parallel(at.task("a"), at.task("b")), slots: 1 });
  expect([...run.state.running]).toEqual([]);
  expect(run.disposition).toEqual({ kind: "active" });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a::0", "b::0"]);
});

it("asks for no more slots than it could use", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(...["a", "b", "c", "d", "e"].map((id) => at.task(id))),
    script: { a: finishAfter(10), b: finishAfter(10) },
    maxConcurrency: 2,
    slots: 5,
  });
  expect(asks(run)).toEqual(["a::0", "b::0"]);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(asks(run)).toEqual(["a::0", "b::0", "c::0", "d::0", "e::0"]);
  expect(returned(run)).toEqual([]);
});

it("gives a slot back that a group around its task has no room for, and asks again when it has", () => {
  const run = new ScriptedRun({
    plan: (at) => capped(1, at.task("a"), at.task("b")),
    script: { a: finishAfter(10) },
    slots: 2,
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(returned(run)).toEqual(["b::0"]);
  expect(run.started).toEqual(["a::0", "b::0"]);
});

it("gives a slot back that comes for a task which has left the tree", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("first"), ...(at.has("first") ? [] : [at.task("gone")])),
    slots: 1,
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["first::0"]);
  // The slot it had asked for comes when it is not needed any more.
  run.playNext();
  expect(returned(run)).toEqual(["gone::0"]);
});

it("ends at once when it is cancelled while its tasks wait for slots", () => {
  const run = new ScriptedRun({ plan: (at) => parallel(at.task("a"), at.task("b")), slots: 0 });
  run.send({ kind: "cancel" });
  expect(run.disposition).toMatchObject({ kind: "cancelled" });
  expect(run.started).toEqual([]);
});

it("lets others ask for a limit that a task which waits for a slot has changed", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.event("go"),
        at.task("x", { limit: at.has("go") ? "b" : "a" }),
        at.task("y", { limit: "a" }),
      ),
    maxConcurrency: 1,
    slots: 0,
  });
  expect(asks(run)).toEqual(["x::0"]);
  run.signal("go");
  run.playNext();
  expect(asks(run)).toEqual(["x::0", "x::0", "y::0"]);
});
