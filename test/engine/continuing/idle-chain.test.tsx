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
    expect(error?.message).toContain("no task has begun or waited in any of them");
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

/** The runs of the longest chain in which nothing happens. */
const MOST_IDLE = 100;

it("how long a build takes is no work: a slow chain ends as soon as a quick one does", async () => {
  const scene = openScene(schemas);
  const { Workflow, ContinueAsNew, service } = scene.api;
  const runs = new Set<string>();
  const workflow = service((ctx) => {
    runs.add(ctx.runId);
    scene.time.moveTo(scene.time.now() + 60);
    return <Workflow name="idle">{runs.size < ENOUGH ? <ContinueAsNew /> : null}</Workflow>;
  });
  const { status, error } = await scene.run(workflow);
  expect([status, error?.code, runs.size]).toEqual(["failed", "SCHEDULER_ERROR", MOST_IDLE]);
});

it("what an earlier run has done is no work of those that it came along to", async () => {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Loop, Task, outputs, service } = scene.api;
  const runs = new Set<string>();
  const workflow = service((ctx) => {
    runs.add(ctx.runId);
    return (
      <Workflow name="idle">
        <Sequence>
          <Task id="failed" output={outputs.row} retries={0} continueOnFail>
            {() => {
              throw new Error("once");
            }}
          </Task>
          <Loop
            id="rounds"
            maxIterations={runs.size < ENOUGH ? Number.POSITIVE_INFINITY : 1}
            continueAsNewEvery={1}
          >
            <Task id="skipped" output={outputs.row} skipIf>
              {{ n: 1 }}
            </Task>
          </Loop>
        </Sequence>
      </Workflow>
    );
  });
  const { status, error } = await scene.run(workflow);
  expect([status, error?.code, runs.size]).toEqual(["failed", "SCHEDULER_ERROR", MOST_IDLE + 1]);
});

it.each(["a task", "a timer", "a signal that does not come", "a task that fails"])(
  "a chain whose runs each have %s may be of any length",
  async (what) => {
    const scene = openScene({ ...schemas, ping: z.object({}) });
    const { Workflow, Sequence, Task, Timer, WaitForEvent, ContinueAsNew, outputs, service } = scene.api;
    const runs = new Set<string>();
    const workflow = service((ctx) => {
      runs.add(ctx.runId);
      return (
        <Workflow name="busy">
          <Sequence>
            {what === "a task" && (
              <Task id="work" output={outputs.row}>
                {{ n: 1 }}
              </Task>
            )}
            {what === "a timer" && <Timer id="pause" duration="1s" />}
            {what === "a signal that does not come" && (
              <WaitForEvent id="ping" event="ping" output={outputs.ping} timeoutMs={1_000} onTimeout="skip" />
            )}
            {what === "a task that fails" && (
              <Task id="failing" output={outputs.row} retries={0} continueOnFail>
                {() => {
                  throw new Error("each time");
                }}
              </Task>
            )}
            {runs.size <= MOST_IDLE ? <ContinueAsNew /> : null}
          </Sequence>
        </Workflow>
      );
    });
    let result = await scene.run(workflow);
    while (result.status.startsWith("waiting")) {
      await scene.time.advance(1_000);
      result = await scene.resume(workflow, { runId: result.runId });
    }
    expect([result.status, runs.size]).toEqual(["finished", MOST_IDLE + 1]);
  },
);
