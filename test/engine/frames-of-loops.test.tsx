import { expect, it } from "vitest";
import { z } from "zod";
import { applyDelta } from "../../src/graph/frame-delta.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

/** A loop of three iterations; its tree tells how many rows there are, where `shows` says so. */
async function framesOfLoop(shows: boolean) {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Loop, Task, outputs, service } = api;
  await run(
    service((ctx) => {
      const rows = ctx.outputs.step.length;
      return (
        <Workflow name="loop">
          <Loop id="rounds" until={rows === 3}>
            <Task id="step" output={outputs.step} label={shows ? `after ${rows}` : "step"}>
              {() => ({ n: 1 })}
            </Task>
          </Loop>
        </Workflow>
      );
    }),
  );
  const frames = await store.listFrames("run", { limit: 100 });
  return { frames: frames.reverse(), store };
}

it("an iteration gives one frame: that of the task whose row has taken the loop on, with the next iteration", async () => {
  const { frames, store } = await framesOfLoop(false);
  expect(frames.map(({ reason, iteration }) => [reason, iteration])).toEqual([
    ["mount", null],
    ["output", 0],
    ["output", 1],
    ["output", 2],
  ]);
  const tasks = [];
  for (const { frameNo } of frames) {
    const chain = (await store.snapshotChain("run", frameNo)) ?? [];
    tasks.push(applyDelta(chain).tasks.map(({ iteration }) => iteration));
  }
  expect(tasks).toEqual([[0], [1], [2], [2]]);
});

it("what the row itself has changed in the tree is a frame of its own", async () => {
  const { frames } = await framesOfLoop(true);
  expect(frames.map(({ reason }) => reason)).toEqual([
    "mount",
    "output",
    "control",
    "output",
    "control",
    "output",
  ]);
});

it("the log names each frame once, and each iteration", async () => {
  const { store } = await framesOfLoop(false);
  const events = await store.listEvents("run", { limit: 100 });
  const named = events.flatMap(({ event }) => {
    if (event.type === "FrameCommitted") return [`frame ${event.frameNo}`];
    return event.type === "LoopAdvanced" ? [`iteration ${event.iteration}`] : [];
  });
  expect(named).toEqual(["frame 1", "frame 2", "iteration 1", "frame 3", "iteration 2", "frame 4"]);
});
