import { describe, expect, it } from "vitest";
import { z } from "zod";
import { getRun, ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ by: z.number() }) };

const shutDown = () => new ServiceError("PROCESS_ABORTED", "SIGTERM");

/** A sequence of two tasks; the first takes `ms` and may ignore its signal. */
function twoSteps(options: { ms: number; obeys: boolean }) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const ran: string[] = [];
  const workflow = service(() => (
    <Workflow name="two-steps">
      <Task id="first" output={outputs.step} timeoutMs={60_000}>
        {async (_inputs, { attempt, signal }) => {
          ran.push(`first ${attempt}`);
          await scene.time.pause(options.ms, options.obeys ? signal : undefined);
          return { by: attempt };
        }}
      </Task>
      <Task id="second" output={outputs.step}>
        {(_inputs, { attempt }) => {
          ran.push(`second ${attempt}`);
          return { by: attempt };
        }}
      </Task>
    </Workflow>
  ));
  const controller = new AbortController();
  const stopAfter = async (ms: number, reason: unknown) => {
    const driving = scene.drive(workflow, { signal: controller.signal });
    await scene.time.advance(ms);
    controller.abort(reason);
    return scene.time.until(driving);
  };
  return { ...scene, workflow, ran, controller, stopAfter };
}

describe("a signal that is aborted", () => {
  it("cancels the run and reaches the task", async () => {
    const scene = twoSteps({ ms: 10_000, obeys: true });
    const result = await scene.stopAfter(100, undefined);
    expect(result).toEqual({ runId: "run", status: "cancelled" });
    expect(scene.ran).toEqual(["first 1"]);
    expect(await scene.attempts("first")).toMatchObject([{ state: "cancelled" }]);
    expect(await scene.node("second")).toMatchObject({ state: "cancelled" });
    expect(await scene.events("RunCancelled")).toHaveLength(1);
  });

  it("cancels a run that has not begun to move", async () => {
    const scene = twoSteps({ ms: 10, obeys: true });
    scene.controller.abort();
    const result = await scene.run(scene.workflow, { signal: scene.controller.signal });
    expect(result.status).toBe("cancelled");
  });

  it("does nothing once the run has ended", async () => {
    const scene = twoSteps({ ms: 10, obeys: true });
    const result = await scene.run(scene.workflow, { signal: scene.controller.signal });
    scene.controller.abort();
    await scene.time.advance(1_000);
    expect(result.status).toBe("finished");
    expect((await scene.store.getRun("run"))?.status).toBe("finished");
  });
});

describe("a process that shuts down", () => {
  it("interrupts the task, leaves the run resumable at once, and starts nothing more", async () => {
    const scene = twoSteps({ ms: 10_000, obeys: true });
    const result = await scene.stopAfter(100, shutDown());
    expect(result).toEqual({ runId: "run", status: "running" });
    expect(await scene.attempts("first")).toMatchObject([{ state: "interrupted", error: null }]);
    expect(await scene.events("RunInterrupted")).toMatchObject([{ reason: "SIGTERM" }]);
    expect(await getRun(scene.workflow, "run")).toMatchObject({
      runState: "stopped",
      stopped: { reason: "SIGTERM", atMs: scene.time.now() },
      blockers: [
        { kind: "owner", summary: expect.stringContaining("SIGTERM"), remedy: { action: "resume" } },
      ],
    });

    expect((await scene.resume(scene.workflow)).status).toBe("finished");
    expect(scene.ran).toEqual(["first 1", "first 2", "second 1"]);
    expect(await scene.node("first")).toMatchObject({ failures: 0, lastAttempt: 2 });
  });

  it("keeps the output of a task that ends in time, and does not start the next", async () => {
    const scene = twoSteps({ ms: 2_000, obeys: false });
    const result = await scene.stopAfter(100, shutDown());
    expect(result).toEqual({ runId: "run", status: "running" });
    expect(await scene.node("first")).toMatchObject({ state: "finished" });
    expect(await scene.node("second")).toMatchObject({ state: "pending" });

    expect((await scene.resume(scene.workflow)).status).toBe("finished");
    expect(scene.ran).toEqual(["first 1", "second 1"]);
  });

  it("gives up on a task that neither ends nor obeys", async () => {
    const scene = twoSteps({ ms: 3_600_000, obeys: false });
    const startedAt = scene.time.now();
    const result = await scene.stopAfter(100, shutDown());
    expect(result.status).toBe("running");
    expect(scene.time.now() - startedAt).toBeLessThan(60_000);
    expect(await scene.attempts("first")).toMatchObject([{ state: "interrupted" }]);
  });

  it("reports the end of a run whose last task ends in time", async () => {
    const scene = openScene({ output: z.object({ done: z.boolean() }) });
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="one">
        <Task id="only" output={outputs.output}>
          {async () => {
            await scene.time.pause(1_000);
            return { done: true };
          }}
        </Task>
      </Workflow>
    ));
    const controller = new AbortController();
    const driving = scene.drive(workflow, { signal: controller.signal });
    await scene.time.advance(100);
    controller.abort(shutDown());
    const result = await scene.time.until(driving);
    expect(result).toMatchObject({ status: "finished", output: { done: true } });
    expect(await scene.events("RunInterrupted")).toEqual([]);
  });

  it("does not fail a run whose other tasks could not start any more", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="queue">
        <Parallel>
          {["a", "b", "c"].map((id) => (
            <Task key={id} id={id} output={outputs.step}>
              {async () => {
                await scene.time.pause(1_000);
                return { by: 1 };
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    const controller = new AbortController();
    const driving = scene.drive(workflow, { signal: controller.signal, maxConcurrency: 1 });
    await scene.time.advance(100);
    controller.abort(shutDown());
    expect(await scene.time.until(driving)).toEqual({ runId: "run", status: "running" });
    expect((await scene.resume(workflow)).status).toBe("finished");
  });

  it("fails the run when the task fails for good while the process stops", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="fails-late">
        <Task id="only" output={outputs.step} retries={0}>
          {async () => {
            await scene.time.pause(1_000);
            throw new Error("the disk of the reporter is full");
          }}
        </Task>
      </Workflow>
    ));
    const controller = new AbortController();
    const driving = scene.drive(workflow, { signal: controller.signal });
    await scene.time.advance(100);
    controller.abort(shutDown());
    // Whether it failed by itself or because it was asked to stop is unknown: it is tried again.
    expect(await scene.time.until(driving)).toEqual({ runId: "run", status: "running" });
    expect((await scene.resume(workflow)).status).toBe("failed");
  });
});
