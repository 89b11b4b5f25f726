import { expect, test } from "vitest";
import { Branch } from "../../src/components/structure/Branch.js";
import { Loop } from "../../src/components/structure/Loop.js";
import { Parallel } from "../../src/components/structure/Parallel.js";
import { Sequence } from "../../src/components/structure/Sequence.js";
import { Workflow } from "../../src/components/structure/Workflow.js";
import { Task } from "../../src/components/tasks/Task.js";
import { ids, outputs, rig, shape, task } from "../support/render-workflow.js";

test("structures become a plan", () => {
  const run = rig((ctx) => (
    <Workflow name="demo">
      <Task id="a" output={outputs.note}>
        {{ text: "x" }}
      </Task>
      <Parallel maxConcurrency={2}>
        <Task id="b" output={outputs.note}>
          {() => ({ text: "b" })}
        </Task>
        <Sequence>
          <Task id="c" output={outputs.note}>
            {() => ({ text: "b" })}
          </Task>
          <Branch
            if={ctx.outputMaybe("note", { nodeId: "a" }) !== undefined}
            then={
              <Task id="yes" output="note">
                {{ text: "" }}
              </Task>
            }
          />
        </Sequence>
      </Parallel>
      <Loop>
        <Task id="l" output={outputs.note} dependsOn={["a"]}>
          {() => ({ text: "b" })}
        </Task>
      </Loop>
    </Workflow>
  ));
  const frame = run.render();
  expect(shape(frame.plan)).toEqual(["sequence", "a", ["parallel", "b", "c"], ["loop", "loop:2", "l"]]);
  const again = run.render();
  expect(again).toBe(frame);
  run.setRow("a", { text: "x" });
  const next = run.render();
  expect(ids(next)).toEqual(["a", "b", "c", "yes", "l"]);
  expect(task(next, "a")).toBe(task(frame, "a"));
  expect(next.structureVersion).toBe(2);
  run.setIteration("loop:2", 3);
  expect(task(run.render(), "l").iteration).toBe(3);
});
