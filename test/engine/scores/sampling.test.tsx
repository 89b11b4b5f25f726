import { expect, it } from "vitest";
import { z } from "zod";
import { isSampled } from "../../../src/scorers/sampling.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer, scoresOf } from "./support.js";

const schemas = { note: z.object({ text: z.string() }) };

it("a run of the same id samples the same outputs, and no more and no fewer than a share of them", async () => {
  const sampled = async () => {
    const scene = openScene(schemas);
    const { Workflow, Loop, Task, service, outputs } = scene.api;
    const style = scorer(async () => ({ score: 1 }));
    const workflow = service((ctx) => (
      <Workflow name="w">
        <Loop id="l" until={ctx.iterationCount("note", "a") >= 40} maxIterations={50}>
          <Task
            id="a"
            output={outputs.note}
            scorers={{ style: { scorer: style, sampling: { type: "ratio", rate: 0.5 } } }}
          >
            {{ text: "a" }}
          </Task>
        </Loop>
      </Workflow>
    ));
    await scene.run(workflow);
    return (await scoresOf(scene)).map(({ iteration }) => iteration);
  };
  const first = await sampled();
  expect(first.length).toBeGreaterThan(8);
  expect(first.length).toBeLessThan(32);
  expect(await sampled()).toEqual(first);
});

it("a share of outputs is what the rate says, whatever they are called", () => {
  const place = { runId: "r", nodeId: "n", attempt: 1, scorerId: "s", source: "live" as const };
  const shareOf = (rate: number) => {
    const binding = { sampling: { type: "ratio" as const, rate } };
    const places = Array.from({ length: 5_000 }, (_, iteration) => ({ ...place, iteration }));
    return places.filter((at) => isSampled(binding, at)).length / places.length;
  };
  expect(shareOf(0)).toBe(0);
  expect(shareOf(1)).toBe(1);
  expect(Math.abs(shareOf(0.25) - 0.25)).toBeLessThan(0.03);
});

it("a scorer with sampling none is never asked, and one without sampling always", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const all = scorer(async () => ({ score: 1 }), "all");
  const none = scorer(async () => ({ score: 1 }), "none");
  const workflow = service(() => (
    <Workflow name="w">
      <Task
        id="a"
        output={outputs.note}
        scorers={{ all: { scorer: all }, none: { scorer: none, sampling: { type: "none" } } }}
      >
        {{ text: "a" }}
      </Task>
    </Workflow>
  ));
  await scene.run(workflow);
  expect((await scoresOf(scene)).map(({ scorerId }) => scorerId)).toEqual(["all"]);
});
