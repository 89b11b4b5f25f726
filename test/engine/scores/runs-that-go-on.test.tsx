import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, retryTask } from "../../../src/index.js";
import { resetTask } from "../../../src/operations/index.js";
import { aggregateScores } from "../../../src/scorers/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer, scoresOf } from "./support.js";

const schemas = { note: z.object({ text: z.string() }), gate: approvalDecision };

it("a task that is run again has its new attempt scored, and keeps the score of the old one", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  let tries = 0;
  const style = scorer(async ({ output }) => ({ score: Number((output as { text: string }).text) / 4 }));
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="a" output={outputs.note} scorers={{ style: { scorer: style } }}>
        {() => {
          tries += 1;
          return { text: String(tries) };
        }}
      </Task>
      <Task id="b" output={outputs.note} retries={0}>
        {() => {
          if (tries < 2) throw new Error("not yet");
          return { text: "b" };
        }}
      </Task>
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("failed");
  await retryTask(workflow, { runId: "run", nodeId: "a" });
  if ((await scene.store.getRun("run"))?.status === "running") await scene.resume(workflow);
  expect((await scene.store.getRun("run"))?.status).toBe("finished");
  expect((await scoresOf(scene)).map(({ attempt, score }) => [attempt, score])).toEqual([
    [1, 0.25],
    [2, 0.5],
  ]);
  // The row of the first attempt is replaced: its score is kept, and counts no more.
  expect(await aggregateScores(workflow, { runId: "run" })).toMatchObject([{ count: 1, mean: 0.5 }]);
});

it("the score of a row that a reset has taken away does not count, before there is a new row", async () => {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Task, Approval, service, outputs } = scene.api;
  const style = scorer(async () => ({ score: 1 }));
  const workflow = service(() => (
    <Workflow name="w">
      <Sequence>
        <Task id="a" output={outputs.note}>
          {{ text: "a" }}
        </Task>
        <Task id="b" output={outputs.note} scorers={{ style: { scorer: style } }}>
          {{ text: "b" }}
        </Task>
        <Approval id="c" output={outputs.gate} request={{ title: "Go?" }} />
      </Sequence>
    </Workflow>
  ));
  await scene.run(workflow);
  expect(await aggregateScores(workflow, { runId: "run" })).toMatchObject([{ count: 1 }]);
  await resetTask(workflow, { runId: "run", nodeId: "a" });
  expect(await aggregateScores(workflow, { runId: "run" })).toEqual([]);
});

it("an attempt that fails is not scored, the one that succeeds is", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const style = scorer(async () => ({ score: 1 }));
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="a" output={outputs.note} scorers={{ style: { scorer: style } }}>
        {(_, { attempt }) => {
          if (attempt < 3) throw new Error(`attempt ${attempt}`);
          return { text: "a" };
        }}
      </Task>
    </Workflow>
  ));
  await scene.run(workflow);
  expect((await scoresOf(scene)).map(({ attempt }) => attempt)).toEqual([3]);
});

it("a run that continues as new waits for its scores first, and each run has its own", async () => {
  const scene = openScene(schemas);
  const { Workflow, Loop, Task, service, outputs } = scene.api;
  const style = scorer(async () => {
    await scene.time.pause(500);
    return { score: 1 };
  });
  const workflow = service((ctx) => (
    <Workflow name="w">
      <Loop id="l" until={ctx.iterationCount("note", "a") >= 4} maxIterations={10} continueAsNewEvery={2}>
        <Task id="a" output={outputs.note} scorers={{ style: { scorer: style } }}>
          {{ text: "a" }}
        </Task>
      </Loop>
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("finished");
  const next = (await scene.store.getRun("run"))?.nextRunId ?? "";
  for (const [runId, iterations] of [
    ["run", [0, 1]],
    [next, [2, 3]],
  ] as const) {
    const scores = await scoresOf(scene, runId);
    expect(scores.map(({ iteration, state }) => [iteration, state])).toEqual(
      iterations.map((iteration) => [iteration, "scored"]),
    );
    const types = await scene.eventTypes(runId);
    expect(types.lastIndexOf("ScorerFinished")).toBeLessThan(
      types.findIndex((type) => /^Run(Fin|Cont)/.test(type)),
    );
  }
});

it("a task that leaves the tree once it has finished is scored all the same", async () => {
  const scene = openScene(schemas);
  const { Workflow, Branch, Task, service, outputs } = scene.api;
  const slow = scorer(async () => {
    await scene.time.pause(500);
    return { score: 0.5 };
  });
  const workflow = service((ctx) => (
    <Workflow name="w">
      <Branch
        if={ctx.outputMaybe("note", { nodeId: "gone" }) === undefined}
        then={
          <Task id="gone" output={outputs.note} scorers={{ slow: { scorer: slow } }}>
            {{ text: "a" }}
          </Task>
        }
        else={
          <Task id="later" output={outputs.note}>
            {{ text: "b" }}
          </Task>
        }
      />
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("finished");
  expect((await scoresOf(scene)).map(({ nodeId, score }) => [nodeId, score])).toEqual([["gone", 0.5]]);
});
