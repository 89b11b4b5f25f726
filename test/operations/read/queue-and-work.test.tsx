import { expect, it } from "vitest";
import { z } from "zod";
import { inspectRun, listSpans } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";

const row = z.object({ n: z.number() });

/** Two tasks of a second each, of which one runs at a time; the second needs two attempts. */
function inTurn() {
  const scene = openScene({ row });
  const { Workflow, Parallel, Task, service, outputs } = scene.api;
  const { time } = scene;
  const workflow = service(() => (
    <Workflow name="turns">
      <Parallel maxConcurrency={1}>
        <Task id="first" output={outputs.row}>
          {() => time.pause(1_000).then(() => ({ n: 1 }))}
        </Task>
        <Task id="second" output={outputs.row} retries={1} retryPolicy={{ initialDelayMs: 5_000 }}>
          {async (_deps: unknown, { attempt }: { attempt: number }) => {
            await time.pause(1_000);
            if (attempt === 1) throw new Error("not yet");
            return { n: 2 };
          }}
        </Task>
      </Parallel>
    </Workflow>
  ));
  return { ...scene, workflow };
}

it("an attempt says how long only a cap kept it from its beginning, and what waits for its time was not queued", async () => {
  const { run, workflow } = inTurn();
  await run(workflow);
  const { spans } = await listSpans(workflow, { runId: "run" });
  expect(spans.map(({ nodeId, attempt, queuedMs }) => [nodeId, attempt, queuedMs])).toEqual([
    ["first", 1, 0],
    ["second", 1, 1_000],
    ["second", null, 0],
    ["second", 2, 0],
  ]);
});

it("a task says when its first attempt began, how long its attempts were at work, and since when one is", async () => {
  const { drive, time, store, workflow } = inTurn();
  const startedAtMs = time.now();
  const times = async () =>
    (await inspectRun(workflow, "run")).nodes.map(({ nodeId, startedAtMs: at, workedMs, atWorkSinceMs }) => [
      nodeId,
      at === null ? null : at - startedAtMs,
      workedMs,
      atWorkSinceMs === null ? null : atWorkSinceMs - startedAtMs,
    ]);
  const driven = drive(workflow);
  await time.advance(500);
  expect(await times()).toEqual([
    ["first", 0, 0, 0],
    ["second", null, 0, null],
  ]);
  await time.advance(1_000);
  expect(await times()).toEqual([
    ["first", 0, 1_000, null],
    ["second", 1_000, 0, 1_000],
  ]);
  await time.until(driven);
  expect(await times()).toEqual([
    ["first", 0, 1_000, null],
    ["second", 1_000, 2_000, null],
  ]);
  expect((await store.getRun("run"))?.status).toBe("finished");
});
