import { expect, it } from "vitest";
import { z } from "zod";
import type { TaskScore } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer } from "./support.js";

const schemas = { note: z.object({ text: z.string() }), seen: z.object({ scores: z.array(z.number()) }) };

it("a task reads what the scorers of another say, once all of them have answered", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const { time } = scene;
  const after = (ms: number, score: number) => async () => {
    await time.pause(ms);
    return { score };
  };
  let read: TaskScore[] = [];
  const workflow = service(() => (
    <Workflow name="w">
      <Task
        id="a"
        output={outputs.note}
        scorers={{
          fast: { scorer: scorer(after(10, 0.25), "fast") },
          slow: { scorer: scorer(after(2_000, 0.5), "slow") },
          broken: { scorer: scorer(() => Promise.reject(new Error("no")), "broken") },
        }}
      >
        {{ text: "a" }}
      </Task>
      <Task id="delta" output={outputs.seen}>
        {async (_, { scores }) => {
          read = await scores("a");
          return { scores: read.flatMap(({ score }) => score ?? []) };
        }}
      </Task>
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("finished");
  expect(read).toEqual([
    {
      attempt: 1,
      scorerId: "broken",
      scorerName: "BROKEN",
      state: "failed",
      score: null,
      reason: null,
      error: expect.objectContaining({ code: "SCORER_FAILED" }),
    },
    expect.objectContaining({ scorerId: "fast", state: "scored", score: 0.25, error: null }),
    expect.objectContaining({ scorerId: "slow", state: "scored", score: 0.5 }),
  ]);
});

it("inside a loop a task reads the scores of its own iteration", async () => {
  const scene = openScene(schemas);
  const { Workflow, Loop, Task, service, outputs } = scene.api;
  const growing = scorer(async ({ output }) => ({ score: Number((output as { text: string }).text) / 10 }));
  const workflow = service((ctx) => (
    <Workflow name="w">
      <Loop id="l" until={ctx.iterationCount("seen", "delta") >= 3} maxIterations={5}>
        <Task id="a" output={outputs.note} scorers={{ growing: { scorer: growing } }}>
          {(_, { iteration }) => ({ text: String(iteration) })}
        </Task>
        <Task id="delta" output={outputs.seen}>
          {async (_, { scores }) => ({ scores: (await scores("a")).flatMap(({ score }) => score ?? []) })}
        </Task>
      </Loop>
    </Workflow>
  ));
  await scene.run(workflow);
  expect(await scene.store.listOutputs("run", "seen")).toEqual([
    { scores: [0] },
    { scores: [0.1] },
    { scores: [0.2] },
  ]);
});

it("a task that has failed, has no scorers or does not exist has no scores", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const style = scorer(async () => ({ score: 1 }));
  const workflow = service(() => (
    <Workflow name="w">
      <Task
        id="failed"
        output={outputs.note}
        retries={0}
        continueOnFail
        scorers={{ style: { scorer: style } }}
      >
        {() => {
          throw new Error("no");
        }}
      </Task>
      <Task id="plain" output={outputs.note}>
        {{ text: "a" }}
      </Task>
      <Task id="delta" output={outputs.seen}>
        {async (_, { scores }) => ({
          scores: [
            (await scores("failed")).length,
            (await scores("plain")).length,
            (await scores("x")).length,
          ],
        })}
      </Task>
    </Workflow>
  ));
  await scene.run(workflow);
  expect(await scene.store.listOutputs("run", "seen")).toEqual([{ scores: [0, 0, 0] }]);
});
