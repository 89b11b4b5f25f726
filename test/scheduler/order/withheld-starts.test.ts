import { taskKey } from "../../../src/model/address.js";
import { expect, it } from "vitest";
import type { SchedulerEvent } from "../../../src/scheduler/commands.js";
import { createState } from "../../../src/scheduler/state.js";
import { step } from "../../../src/scheduler/step.js";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("tasks start with the event that lets them, under what has been decided by then", () => {
  const { frame } = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  if (frame === null) throw new Error("nothing was rendered");
  for (const isHeld of [false, true]) {
    const state = createState({ maxConcurrency: 9 });
    const starts = (event: SchedulerEvent) =>
      step(state, event, 0).flatMap((command) => (command.type === "start" ? [command.key] : []));
    expect(starts({ type: "frame", frame, reason: "output" })).toEqual([]);
    const id = taskKey({ nodeId: "h", iteration: 0 });
    if (isHeld) expect(starts({ type: "hold", hold: { id, reason: "", asks: false } })).toEqual([]);
    expect(starts({ type: "start-ready" })).toEqual(isHeld ? [] : ["a::0"]);
  }
});
