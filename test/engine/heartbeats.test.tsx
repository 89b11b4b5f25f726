import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError, type TaskRuntime } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ from: z.unknown() }) };
const LIMIT = 1_000_000;

/** A workflow of one task. */
function working(
  work: (
    runtime: TaskRuntime,
    scene: ReturnType<typeof openScene<typeof schemas>>,
  ) => Promise<unknown> | unknown,
  props: { heartbeatTimeoutMs?: number; heartbeatTimeout?: number; retries?: number } = {},
) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="working">
      <Task id="work" output={outputs.step} retries={0} retryPolicy={{ initialDelayMs: 5_000 }} {...props}>
        {async (_inputs, runtime) => ({ from: await work(runtime, scene) })}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("a checkpoint", () => {
  it("is what the next attempt finds after a failure", async () => {
    const seen: unknown[] = [];
    const scene = working(
      ({ attempt, lastHeartbeat, heartbeat }) => {
        seen.push(lastHeartbeat);
        heartbeat({ done: attempt * 10, list: [1, 2] });
        if (attempt < 3) throw new Error("try again");
        return "finished";
      },
      { retries: 5 },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(seen).toEqual([undefined, { done: 10, list: [1, 2] }, { done: 20, list: [1, 2] }]);
    expect((await scene.attempts("work")).map(({ heartbeatJson }) => heartbeatJson)).toEqual([
      '{"done":10,"list":[1,2]}',
      '{"done":20,"list":[1,2]}',
      '{"done":30,"list":[1,2]}',
    ]);
  });

  it("is what the next process finds after an interruption", async () => {
    const seen: unknown[] = [];
    const controller = new AbortController();
    const scene = working(async ({ attempt, lastHeartbeat, heartbeat, signal }, { time }) => {
      seen.push(lastHeartbeat);
      if (attempt > 1) return "finished";
      heartbeat("page 7");
      await time.pause(1_000);
      controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
      await time.pause(60_000, signal);
      return "never";
    });
    expect((await scene.run(scene.workflow, { signal: controller.signal })).status).toBe("running");
    expect((await scene.resume(scene.workflow)).status).toBe("finished");
    expect(seen).toEqual([undefined, "page 7"]);
  });

  it("is what the next process finds when the attempt had failed before and waited for its next try", async () => {
    const seen: unknown[] = [];
    const controller = new AbortController();
    const scene = working(
      ({ attempt, lastHeartbeat, heartbeat }) => {
        seen.push(lastHeartbeat);
        heartbeat(`attempt ${attempt}`);
        if (attempt === 1) throw new Error("try again");
        return "finished";
      },
      { retries: 1 },
    );
    const driving = scene.drive(scene.workflow, { signal: controller.signal });
    await scene.time.advance(1_000);
    controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
    expect((await scene.time.until(driving)).status).toBe("running");
    expect((await scene.resume(scene.workflow)).status).toBe("finished");
    expect(seen).toEqual([undefined, "attempt 1"]);
  });

  it("survives an attempt that gave none itself", async () => {
    const seen: unknown[] = [];
    const scene = working(
      ({ attempt, lastHeartbeat, heartbeat }) => {
        seen.push(lastHeartbeat);
        if (attempt === 1) heartbeat("only one");
        if (attempt < 3) throw new Error("try again");
        return "finished";
      },
      { retries: 5 },
    );
    await scene.run(scene.workflow);
    expect(seen).toEqual([undefined, "only one", "only one"]);
  });

  it("may be exactly as large as the limit", async () => {
    const text = "x".repeat(LIMIT - 2);
    const scene = working(({ heartbeat }) => {
      heartbeat(text);
      return "finished";
    });
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(await scene.events("TaskHeartbeat")).toMatchObject([{ hasData: true, dataSizeBytes: LIMIT }]);
  });

  it("one byte larger fails the task at once, with node, field, size and limit", async () => {
    const seen = ["x".repeat(LIMIT + 1 - '{"seen":[""]}'.length)];
    const scene = working(({ heartbeat }) => heartbeat({ seen }), { retries: 5 });
    const { status, error } = await scene.run(scene.workflow);
    expect(status).toBe("failed");
    expect(error).toMatchObject({
      code: "HEARTBEAT_PAYLOAD_TOO_LARGE",
      details: { nodeId: "work", sizeBytes: LIMIT + 1, limitBytes: LIMIT, attempt: 1 },
    });
    for (const fact of ["work", "seen[0]", LIMIT + 1, LIMIT]) expect(error?.message).toContain(String(fact));
  });

  it("counts bytes, not characters", async () => {
    const scene = working(({ heartbeat }) => heartbeat("é".repeat(LIMIT / 2)));
    expect((await scene.run(scene.workflow)).error?.code).toBe("HEARTBEAT_PAYLOAD_TOO_LARGE");
  });

  it.each<[string, () => unknown]>([
    [
      "a circle",
      () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      },
    ],
    ["a function", () => () => 1],
    ["a bigint", () => 1n],
    ["a symbol", () => Symbol("x")],
  ])("that is %s fails the task at once", async (_what, make) => {
    const scene = working(({ heartbeat }) => heartbeat(make()), { retries: 5 });
    const { error } = await scene.run(scene.workflow);
    expect(error).toMatchObject({
      code: "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
      details: { nodeId: "work", attempt: 1 },
    });
  });
});

describe("a value inside a checkpoint that JSON would lose", () => {
  it.each<[unknown, string]>([
    [new Map([[1, 2]]), "a Map"],
    [new Set([1]), "a Set"],
    [() => 1, "a function"],
    [Number.NaN, "NaN"],
    [1n, "a bigint"],
  ])("fails the task at once and is named with its path: %#", async (value, what) => {
    const scene = working(({ heartbeat }) => heartbeat({ pages: [{ seen: value }] }), { retries: 5 });
    const { error } = await scene.run(scene.workflow);
    expect(error).toMatchObject({
      code: "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
      details: { nodeId: "work", path: "pages[0].seen", attempt: 1 },
    });
    expect(error?.message).toContain(`"pages[0].seen" is ${what}`);
  });

  it("is not one that is undefined, or a date", async () => {
    const seen: unknown[] = [];
    const scene = working(
      ({ attempt, lastHeartbeat, heartbeat }) => {
        seen.push(lastHeartbeat);
        heartbeat({ next: undefined, at: new Date(0) });
        if (attempt === 1) throw new Error("try again");
        return "finished";
      },
      { retries: 1 },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(seen).toEqual([undefined, { at: "1970-01-01T00:00:00.000Z" }]);
  });
});

describe("heartbeatTimeout", () => {
  it.each([["heartbeatTimeoutMs"], ["heartbeatTimeout"]])(
    "as %s ends an attempt that gives no sign of life, and the task is tried again",
    async (prop) => {
      const reasons: unknown[] = [];
      const scene = working(
        async ({ attempt, signal }, { time }) => {
          if (attempt > 1) return "finished";
          signal.addEventListener("abort", () => reasons.push(signal.reason));
          await time.pause(60_000, signal);
          return "never";
        },
        { retries: 1, [prop]: 1_000 },
      );
      const start = scene.time.now();
      expect((await scene.run(scene.workflow)).status).toBe("finished");
      expect(reasons).toMatchObject([{ code: "TASK_HEARTBEAT_TIMEOUT" }]);
      const [timeout] = await scene.events("TaskHeartbeatTimeout");
      expect(timeout).toMatchObject({ nodeId: "work", attempt: 1, timeoutMs: 1_000 });
      expect((timeout?.timestampMs ?? 0) - start).toBe(1_000);
      expect(await scene.attempts("work")).toMatchObject([
        { state: "failed", error: { code: "TASK_HEARTBEAT_TIMEOUT" } },
        { state: "finished" },
      ]);
    },
  );

  it("leaves an attempt alone that gives signs of life in time, with or without data", async () => {
    const scene = working(
      async ({ heartbeat }, { time }) => {
        for (let beat = 0; beat < 20; beat += 1) {
          await time.pause(900);
          heartbeat(beat % 2 === 0 ? undefined : beat);
        }
        return "finished";
      },
      { heartbeatTimeoutMs: 1_000 },
    );
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(await scene.attempts("work")).toHaveLength(1);
  });
});
