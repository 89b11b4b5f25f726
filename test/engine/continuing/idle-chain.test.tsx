import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ n: z.number() }) };

/** Runs of the chain before the test takes it for endless. */
const ENOUGH = 200;

it("a chain of runs that do nothing but continue can be cancelled", async () => {
  const scene = openScene(schemas);
  const { Workflow, ContinueAsNew, service } = scene.api;
  const stop = new AbortController();
  const runs = new Set<string>();
  const workflow = service((ctx) => {
    runs.add(ctx.runId);
    if (runs.size === 2) setImmediate(() => stop.abort());
    return <Workflow name="idle">{runs.size < ENOUGH ? <ContinueAsNew /> : null}</Workflow>;
  });
  expect((await scene.run(workflow, { signal: stop.signal })).status).toBe("cancelled");
});

it.each([
  ["a ContinueAsNew", null],
  ["a loop without a limit", Number.POSITIVE_INFINITY],
])(
  "a chain of %s in which nothing ever runs is an error, as such a loop is",
  async (_what, maxIterations) => {
    const scene = openScene(schemas);
    const { Workflow, Sequence, Loop, Task, ContinueAsNew, outputs, service } = scene.api;
    const runs = new Set<string>();
    const skipped = (
      <Task id="skipped" output={outputs.row} skipIf>
        {{ n: 1 }}
      </Task>
    );
    const workflow = service((ctx) => {
      runs.add(ctx.runId);
      if (runs.size > ENOUGH) throw new Error("it continues for ever");
      return (
        <Workflow name="idle">
          {maxIterations === null ? (
            <Sequence>
              {skipped}
              <ContinueAsNew state={{ at: runs.size }} />
            </Sequence>
          ) : (
            <Loop id="rounds" maxIterations={maxIterations} continueAsNewEvery={1}>
              {skipped}
            </Loop>
          )}
        </Workflow>
      );
    });
    const { status, error } = await scene.run(workflow);
    expect([status, error?.code]).toEqual(["failed", "SCHEDULER_ERROR"]);
    expect(error?.message).toContain("no task has begun in any of them");
  },
);

it("a loop with a limit may skip all of its rounds in as many runs", async () => {
  const scene = openScene(schemas);
  const { Workflow, Loop, Task, outputs, service } = scene.api;
  const rounds = 101;
  const workflow = service(() => (
    <Workflow name="skips">
      <Loop id="rounds" maxIterations={rounds} continueAsNewEvery={1}>
        <Task id="skipped" output={outputs.row} skipIf>
          {{ n: 1 }}
        </Task>
      </Loop>
    </Workflow>
  ));
  expect(await scene.run(workflow)).toMatchObject({ status: "finished", exhaustedLoops: ["rounds"] });
  expect((await scene.store.listRuns({ limit: rounds + 1 })).length).toBe(rounds);
});
