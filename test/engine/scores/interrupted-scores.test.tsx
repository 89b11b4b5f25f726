import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelRun, ServiceError, type Scorer } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer, scoresOf } from "./support.js";

const schemas = { note: z.object({ text: z.string() }), go: z.object({}) };

function scene(score: Scorer["score"], options: { waits?: boolean } = {}) {
  const open = openScene(schemas);
  const { Workflow, Task, Signal, service, outputs } = open.api;
  const build = (ask: Scorer | null) =>
    service(() => (
      <Workflow name="w">
        <Task id="a" output={outputs.note} {...(ask !== null && { scorers: { style: { scorer: ask } } })}>
          {{ text: "a" }}
        </Task>
        {options.waits === true ? <Signal id="go" schema={outputs.go} /> : null}
      </Workflow>
    ));
  return { ...open, workflow: build(scorer(score)), without: build(null), build };
}

const never: Scorer["score"] = () => new Promise(() => {});
const one: Scorer["score"] = async () => ({ score: 1 });

async function stopWhile(open: ReturnType<typeof scene>) {
  const controller = new AbortController();
  const run = open.drive(open.workflow, { signal: controller.signal });
  await open.time.advance(10);
  controller.abort(new ServiceError("PROCESS_ABORTED", "Shutting down."));
  return open.time.until(run);
}

describe("a process that stops while a scorer works", () => {
  it("leaves a run that has nothing else to do resumable, with its score outstanding", async () => {
    const open = scene(never);
    expect((await stopWhile(open)).status).toBe("running");
    expect(await scoresOf(open)).toMatchObject([{ state: "pending", score: null, scoredAtMs: null }]);
    expect((await open.store.getRun("run"))?.ownerId).toBeNull();
    const again = await open.resume(open.build(scorer(one)));
    expect(again.status).toBe("finished");
    expect(await scoresOf(open)).toMatchObject([{ state: "scored", score: 1, inputJson: '{"text":"a"}' }]);
    expect((await open.attempts("a")).length).toBe(1);
  });

  it("leaves the score to a run without that scorer, which says so instead of waiting", async () => {
    const open = scene(never);
    await stopWhile(open);
    expect((await open.resume(open.without)).status).toBe("finished");
    expect(await scoresOf(open)).toMatchObject([
      {
        state: "failed",
        error: {
          code: "SCORER_FAILED",
          message: expect.stringContaining("is on no task of the workflow any more"),
        },
      },
    ]);
  });
});

describe("a run that waits for a person", () => {
  it("says what it waits for at once, and is kept until its scores are there", async () => {
    let answer: (value: { score: number }) => void = () => {};
    const open = scene(() => new Promise((resolve) => (answer = resolve)), { waits: true });
    const run = open.drive(open.workflow);
    await open.time.advance(10);
    const waiting = await open.store.getRun("run");
    expect([waiting?.status, waiting?.ownerId === null]).toEqual(["waiting-event", false]);
    answer({ score: 0.5 });
    expect((await open.time.until(run)).status).toBe("waiting-event");
    expect(await scoresOf(open)).toMatchObject([{ state: "scored", score: 0.5 }]);
    expect((await open.store.getRun("run"))?.ownerId).toBeNull();
  });

  it("is released after scorerTimeoutMs all the same", async () => {
    const open = scene(never, { waits: true });
    const run = open.drive(open.workflow);
    await open.time.advance(60_000);
    expect((await run).status).toBe("waiting-event");
    expect(await scoresOf(open)).toMatchObject([{ state: "failed" }]);
  });

  it("finishes the scores of an earlier process when it is resumed", async () => {
    const open = scene(never, { waits: true });
    // A supervisor finds it: it is not marked as one that only waits.
    expect((await stopWhile(open)).status).toBe("running");
    expect((await open.resume(open.build(scorer(one)))).status).toBe("waiting-event");
    expect(await scoresOf(open)).toMatchObject([{ state: "scored", score: 1 }]);
  });

  it("and is cancelled where it lies ends its outstanding scores as failed", async () => {
    const open = scene(never, { waits: true });
    await stopWhile(open);
    await cancelRun(open.workflow, { runId: "run" });
    expect((await open.store.getRun("run"))?.status).toBe("cancelled");
    expect(await scoresOf(open)).toMatchObject([
      { state: "failed", error: { message: expect.stringContaining("when the run was cancelled") } },
    ]);
  });
});

it("a run that is cancelled does not wait for its scorers", async () => {
  const open = scene(never);
  const controller = new AbortController();
  const run = open.drive(open.workflow, { signal: controller.signal });
  await open.time.advance(10);
  controller.abort();
  expect((await open.time.until(run)).status).toBe("cancelled");
  expect(await scoresOf(open)).toMatchObject([{ state: "failed", error: { code: "SCORER_FAILED" } }]);
});

it("a run that fails waits for its scores before it says so", async () => {
  const open = openScene(schemas);
  const { Workflow, Task, service, outputs } = open.api;
  let answer: (value: { score: number }) => void = () => {};
  const slow = scorer(() => new Promise((resolve) => (answer = resolve)));
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="a" output={outputs.note} scorers={{ slow: { scorer: slow } }}>
        {{ text: "a" }}
      </Task>
      <Task id="b" output={outputs.note} retries={0}>
        {() => {
          throw new Error("no");
        }}
      </Task>
    </Workflow>
  ));
  const run = open.drive(workflow);
  await open.time.advance(10);
  expect((await open.store.getRun("run"))?.status).toBe("running");
  answer({ score: 1 });
  expect((await open.time.until(run)).status).toBe("failed");
  expect(await scoresOf(open)).toMatchObject([{ state: "scored" }]);
});

it("a scorer is aborted when its run is cancelled", async () => {
  let signal: AbortSignal | undefined;
  const open = scene(
    (input) => {
      signal = input.signal;
      return never(input);
    },
    { waits: true },
  );
  const run = open.drive(open.workflow);
  await open.time.advance(10);
  expect(signal?.aborted).toBe(false);
  await cancelRun(open.workflow, { runId: "run" });
  expect((await open.time.until(run)).status).toBe("cancelled");
  expect(signal?.aborted).toBe(true);
});

it("a task that waits for scores does not hold up a process that stops", async () => {
  const open = openScene(schemas);
  const { Workflow, Task, service, outputs } = open.api;
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="a" output={outputs.note} scorers={{ style: { scorer: scorer(never) } }}>
        {{ text: "a" }}
      </Task>
      <Task id="b" output={outputs.note}>
        {async (_inputs, { scores }) => ({ text: String((await scores("a")).length) })}
      </Task>
    </Workflow>
  ));
  const controller = new AbortController();
  const run = open.drive(workflow, { signal: controller.signal });
  await open.time.advance(10);
  controller.abort(new ServiceError("PROCESS_ABORTED", "Shutting down."));
  const stopped = open.time.now();
  expect((await open.time.until(run)).status).toBe("running");
  expect(open.time.now() - stopped).toBeLessThan(1_000);
});
