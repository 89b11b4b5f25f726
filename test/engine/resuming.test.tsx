import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelRun, ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), output: z.object({ total: z.number() }) };

/** `first`, then `second`, which fails as long as `broken` is set. */
function mending() {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const state = { broken: true };
  const ran: string[] = [];
  const workflow = service((ctx) => (
    <Workflow name="mending">
      <Task id="first" output={outputs.step}>
        {(_inputs, { attempt }) => {
          ran.push(`first ${attempt}`);
          return { n: 1 };
        }}
      </Task>
      <Task id="second" output={outputs.output} retries={1} retryPolicy={{}}>
        {(_inputs, { attempt }) => {
          ran.push(`second ${attempt}`);
          if (state.broken) throw new Error("still broken");
          return { total: ctx.outputs.step.length };
        }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow, state, ran };
}

describe("resuming", () => {
  it("a run that does not exist is refused", async () => {
    const scene = mending();
    await expect(scene.resume(scene.workflow)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(scene.rowCount()).toBe(0);
  });

  it("without an id is refused", async () => {
    const scene = mending();
    await expect(
      scene.resume(scene.workflow, { runId: undefined as unknown as string }),
    ).rejects.toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining("runId") as string });
  });

  it("a failed run gives what failed another chance, with all its retries", async () => {
    const scene = mending();
    expect((await scene.run(scene.workflow)).status).toBe("failed");
    expect(scene.ran).toEqual(["first 1", "second 1", "second 2"]);

    scene.state.broken = false;
    const result = await scene.resume(scene.workflow);
    expect(result).toEqual({ runId: "run", status: "finished", output: { total: 1 } });
    expect(scene.ran).toEqual(["first 1", "second 1", "second 2", "second 3"]);
    expect(await scene.store.getRun("run")).toMatchObject({ status: "finished", error: null });
    expect((await scene.attempts("second")).map(({ state }) => state)).toEqual([
      "failed",
      "failed",
      "finished",
    ]);
  });

  it("a failed run that fails again does so after as many attempts", async () => {
    const scene = mending();
    await scene.run(scene.workflow);
    expect((await scene.resume(scene.workflow)).status).toBe("failed");
    expect(scene.ran).toEqual(["first 1", "second 1", "second 2", "second 3", "second 4"]);
  });

  it("a finished run returns its result and touches nothing", async () => {
    const scene = mending();
    scene.state.broken = false;
    const first = await scene.run(scene.workflow);
    const rows = scene.rowCount();
    expect(await scene.resume(scene.workflow)).toEqual(first);
    expect(scene.rowCount()).toBe(rows);
    expect(scene.ran).toEqual(["first 1", "second 1"]);
  });

  it("a cancelled run continues where it was", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const ran: string[] = [];
    const workflow = service(() => (
      <Workflow name="cancelled">
        {["a", "b"].map((id) => (
          <Task key={id} id={id} output={outputs.step}>
            {async (_inputs, { attempt, signal }) => {
              ran.push(`${id} ${attempt}`);
              await scene.time.pause(1_000, signal);
              return { n: attempt };
            }}
          </Task>
        ))}
      </Workflow>
    ));
    const driving = scene.drive(workflow);
    await scene.time.advance(1_500);
    expect(await cancelRun(workflow, { runId: "run", reason: "enough" })).toEqual({
      runId: "run",
      status: "cancelling",
      seq: null,
    });
    expect((await scene.time.until(driving)).status).toBe("cancelled");
    expect(ran).toEqual(["a 1", "b 1"]);

    expect((await scene.resume(workflow)).status).toBe("finished");
    expect(ran).toEqual(["a 1", "b 1", "b 2"]);
    expect(await scene.eventTypes()).not.toContain("RunFailed");
  });

  it("a run that continued as another is refused and names the other", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, ContinueAsNew, outputs, service } = scene.api;
    const workflow = service((ctx) => (
      <Workflow name="continues">
        <Task id="step" output={outputs.step}>
          {{ n: 1 }}
        </Task>
        {ctx.continuation === undefined ? <ContinueAsNew state={{ round: 2 }} /> : null}
      </Workflow>
    ));
    const result = await scene.run(workflow, { followContinuation: false });
    expect(result).toMatchObject({ status: "continued", nextRunId: expect.any(String) as string });
    const failure = await scene.resume(workflow).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "RUN_NOT_RESUMABLE" });
    expect((failure as ServiceError).message).toContain(result.nextRunId);

    // The other run is there, and no process drives it.
    expect((await scene.resume(workflow, { runId: result.nextRunId as string })).status).toBe("finished");
  });

  it("a run whose owner lives is refused; `force` takes it over, and the old owner stops", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    let holding = true;
    const signals: AbortSignal[] = [];
    const workflow = service(() => (
      <Workflow name="held">
        <Task id="only" output={outputs.output}>
          {async (_inputs, { attempt, signal }) => {
            signals.push(signal);
            while (holding) await scene.time.pause(100);
            return { total: attempt };
          }}
        </Task>
      </Workflow>
    ));
    const first = scene.drive(workflow).catch((error: unknown) => error);
    await scene.time.advance(500);
    await expect(scene.drive(workflow, { resume: true })).rejects.toMatchObject({ code: "RUN_OWNER_ALIVE" });

    const second = scene.drive(workflow, { resume: true, force: true });
    await scene.time.advance(2_000);
    holding = false;
    expect(await scene.time.until(second)).toMatchObject({ status: "finished", output: { total: 2 } });
    const lost = await scene.time.until(first);
    expect(lost).toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(await scene.attempts("only")).toMatchObject([{ state: "interrupted" }, { state: "finished" }]);
  });

  it("uses options of the resume where they are given and those of the start otherwise", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = scene.api;
    let running = 0;
    let most = 0;
    const workflow = service(() => (
      <Workflow name="wide">
        <Parallel>
          {Array.from({ length: 8 }, (_, n) => (
            <Task key={n} id={`t${n}`} output={outputs.step}>
              {async (_inputs, { signal }) => {
                running += 1;
                most = Math.max(most, running);
                try {
                  await scene.time.pause(1_000, signal);
                } finally {
                  running -= 1;
                }
                return { n };
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    const controller = new AbortController();
    const driving = scene.drive(workflow, {
      maxConcurrency: 2,
      annotations: { team: "blue", priority: 3 },
      signal: controller.signal,
    });
    await scene.time.advance(100);
    controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
    await scene.time.until(driving);
    expect(most).toBe(2);
    await scene.resume(workflow, { maxConcurrency: 3 });
    expect(most).toBe(3);
    expect((await scene.store.getRun("run"))?.config).toMatchObject({
      annotations: { team: "blue", priority: 3 },
    });
  });
});
