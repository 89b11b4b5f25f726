import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError, serviceMetrics } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

function pair() {
  const limits = { "model-x": { concurrency: 1 } };
  const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  const task = (id: string) => (
    <Task key={id} id={id} output={outputs.row} limit="model-x">
      {async () => {
        await scene.time.pause(60_000);
        return { n: 1 };
      }}
    </Task>
  );
  const workflow = (ids: readonly string[]) =>
    service(() => (
      <Workflow name="pair">
        <Parallel>{ids.map(task)}</Parallel>
      </Workflow>
    ));
  return { ...scene, workflow };
}

describe("a task that waits for a slot", () => {
  it("counts in the queue of the scheduler, and not as one at work", async () => {
    const { workflow, drive, time } = pair();
    const before = serviceMetrics.schedulerQueueDepth.value();
    const driving = drive(workflow(["a", "b", "c"]));
    await time.advance(100);
    expect(serviceMetrics.schedulerQueueDepth.value() - before).toBe(2);
    await time.until(driving);
    expect(serviceMetrics.schedulerQueueDepth.value()).toBe(before);
  });

  it("loses nothing when its process stops, and gets its slot from the next one", async () => {
    const { workflow, drive, time, store, resume } = pair();
    const holder = drive(workflow(["a"]), { runId: "holder" });
    await time.advance(100);
    const stop = new AbortController();
    const waiting = drive(workflow(["b"]), { runId: "waiting", signal: stop.signal });
    await time.advance(100);
    stop.abort(new ServiceError("PROCESS_ABORTED", "The host closes."));
    await time.advance(10_000);
    expect(await waiting).toMatchObject({ status: "running" });
    expect(await store.listAttempts("waiting")).toEqual([]);
    await time.until(holder);
    expect(await resume(workflow(["b"]), { runId: "waiting" })).toMatchObject({ status: "finished" });
    expect((await store.listAttempts("waiting")).map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, "finished"],
    ]);
  });

  it("leaves its slot to others between two attempts", async () => {
    const limits = { "model-x": { concurrency: 1 } };
    const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
    const { Workflow, Parallel, Task, outputs, service } = scene.api;
    const order: string[] = [];
    const flow = service(() => (
      <Workflow name="retrying">
        <Parallel>
          <Task
            id="shaky"
            output={outputs.row}
            limit="model-x"
            retryPolicy={{ initialDelayMs: 60_000 }}
            retries={1}
          >
            {(_inputs, { attempt }) => {
              order.push(`shaky ${attempt}`);
              if (attempt === 1) throw new Error("as asked");
              return { n: 1 };
            }}
          </Task>
          <Task id="other" output={outputs.row} limit="model-x">
            {() => {
              order.push("other");
              return { n: 2 };
            }}
          </Task>
        </Parallel>
      </Workflow>
    ));
    expect(await scene.run(flow)).toMatchObject({ status: "finished" });
    expect(order).toEqual(["shaky 1", "other", "shaky 2"]);
  });
});
