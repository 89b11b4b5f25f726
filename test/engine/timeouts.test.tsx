import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { TaskRuntime } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

function timed(
  work: (runtime: TaskRuntime, scene: ReturnType<typeof openScene<typeof schemas>>) => Promise<number>,
  props: { retries?: number; continueOnFail?: boolean } = {},
) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="timed">
      <Task id="work" output={outputs.step} timeoutMs={1_000} retries={0} retryPolicy={{}} {...props}>
        {async (_inputs, runtime) => ({ n: await work(runtime, scene) })}
      </Task>
      <Task id="after" output={outputs.step}>
        {{ n: 0 }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("timeoutMs", () => {
  it("ends an attempt through its signal and fails it", async () => {
    const reasons: unknown[] = [];
    const scene = timed(async ({ signal }, { time }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      await time.pause(60_000, signal);
      return 1;
    });
    const start = scene.time.now();
    const result = await scene.run(scene.workflow);
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "TASK_TIMEOUT", details: { nodeId: "work", attempt: 1, timeoutMs: 1_000 } },
    });
    expect(reasons).toMatchObject([{ code: "TASK_TIMEOUT" }]);
    expect(((await scene.events("NodeFailed"))[0]?.timestampMs ?? 0) - start).toBe(1_000);
  });

  it("is followed by another attempt with a limit of its own", async () => {
    const scene = timed(
      async ({ attempt, signal }, { time }) => {
        await time.pause(attempt < 3 ? 60_000 : 900, signal);
        return attempt;
      },
      { retries: 5 },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect((await scene.attempts("work")).map(({ state }) => state)).toEqual([
      "failed",
      "failed",
      "finished",
    ]);
  });

  it("lets a result win that arrives in the same moment", async () => {
    const scene = timed(async (_runtime, { time }) => {
      await time.pause(1_000);
      return 1;
    });
    expect((await scene.run(scene.workflow)).status).toBe("finished");
  });

  it("is not the limit of the time a task waits for its turn", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = scene.api;
    const result = await scene.run(
      service(() => (
        <Workflow name="queue">
          <Parallel maxConcurrency={1}>
            {["a", "b", "c"].map((id) => (
              <Task key={id} id={id} output={outputs.step} timeoutMs={1_000} retries={0}>
                {async () => {
                  await scene.time.pause(800);
                  return { n: 1 };
                }}
              </Task>
            ))}
          </Parallel>
        </Workflow>
      )),
    );
    expect(result.status).toBe("finished");
  });
});

describe("a task that ignores its signal", () => {
  it("is given up after a grace, and what it returns later is dropped", async () => {
    let late = false;
    const scene = timed(
      async (_runtime, { time }) => {
        await time.pause(30_000);
        late = true;
        return 99;
      },
      { continueOnFail: true },
    );
    const driving = scene.drive(scene.workflow);
    await scene.time.advance(6_001);
    expect(await scene.node("work")).toMatchObject({ state: "failed", error: { code: "TASK_TIMEOUT" } });
    const result = await scene.time.until(driving);
    expect(result).toMatchObject({ status: "finished", failedChildKeys: ["work::0"] });
    await scene.time.advance(60_000);
    expect(late).toBe(true);
    expect(await scene.store.listOutputs("run", "step")).toEqual([{ n: 0 }]);
    expect(await scene.attempts("work")).toMatchObject([
      { state: "failed", error: { code: "TASK_TIMEOUT" } },
    ]);
    expect((await scene.events("NodeFinished")).map(({ nodeId }) => nodeId)).toEqual(["after"]);
  });

  it("cannot finish its node with a result between the limit and the grace", async () => {
    const scene = timed(
      async ({ attempt }, { time }) => {
        await time.pause(attempt === 1 ? 2_000 : 100);
        return attempt;
      },
      { retries: 1 },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(await scene.store.getOutput("run", "step", "work", 0)).toEqual({ n: 2 });
    expect((await scene.attempts("work")).map(({ state }) => state)).toEqual(["failed", "finished"]);
  });

  it("that throws late is not heard either", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    const scene = timed(
      async (_runtime, { time }) => {
        await time.pause(30_000);
        throw new Error("too late to matter");
      },
      { continueOnFail: true },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    await scene.time.advance(60_000);
    process.off("unhandledRejection", onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

describe("back-off", () => {
  const failing = (retryPolicy: object | undefined, retries = 3) => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const startedAt: number[] = [];
    const workflow = service(() => (
      <Workflow name="failing">
        <Task id="work" output={outputs.step} retries={retries} {...(retryPolicy && { retryPolicy })}>
          {() => {
            startedAt.push(scene.time.now());
            throw new Error(`failure ${"i".repeat(startedAt.length)}`);
          }}
        </Task>
      </Workflow>
    ));
    const delays = () => startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
    return { ...scene, workflow, delays, startedAt };
  };

  it.each<[string, object | undefined, number[]]>([
    ["without a policy doubles from a second", undefined, [1_000, 2_000, 4_000]],
    ["of an empty policy is none", {}, [0, 0, 0]],
    ["fixed stays the same", { backoff: "fixed", initialDelayMs: 700 }, [700, 700, 700]],
    ["linear grows by the first delay", { backoff: "linear", initialDelayMs: 500 }, [500, 1_000, 1_500]],
    ["exponential doubles", { backoff: "exponential", initialDelayMs: 50 }, [50, 100, 200]],
    ["is never longer than five minutes", { initialDelayMs: 3_600_000 }, [300_000, 300_000, 300_000]],
  ])("%s", async (_what, policy, expected) => {
    const scene = failing(policy);
    await scene.run(scene.workflow);
    expect(scene.delays()).toEqual(expected);
  });

  it("is kept by a process that takes over: it does not try early", async () => {
    const scene = failing({ initialDelayMs: 60_000 }, 1);
    const controller = new AbortController();
    const driving = scene.drive(scene.workflow, { signal: controller.signal });
    await scene.time.advance(10_000);
    const { ServiceError } = await import("../../src/index.js");
    controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
    await scene.time.until(driving);
    await scene.time.sleepThrough(20_000);
    expect((await scene.resume(scene.workflow)).status).toBe("failed");
    expect(scene.delays()).toEqual([60_000]);
  });

  it("ends with RETRY_STORM after ten failures of the same kind", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const result = await scene.run(
      service(() => (
        <Workflow name="storm">
          <Task id="work" output={outputs.step} retryPolicy={{}}>
            {(_inputs, { attempt }) => {
              throw new Error(`request ${attempt * 1_000} was refused`);
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error).toMatchObject({
      code: "RETRY_STORM",
      details: { nodeId: "work", attempt: 10 },
      cause: { message: "request 10000 was refused" },
    });
  });
});
