import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approveNode,
  createService,
  type RetryPolicy,
  ServiceDb,
  ServiceError,
  signalRun,
} from "../../src/index.js";
import { HEARTBEAT_MS } from "../../src/engine/session/lease.js";
import { openScene } from "../support/engine/scene.js";

const HOUR_MS = 3_600_000;
const schemas = {
  step: z.object({ n: z.number() }),
  go: z.object({ speed: z.number() }),
  decision: z.object({ approved: z.boolean(), decidedBy: z.string().nullable() }),
};

const open = () => openScene(schemas);
type Open = ReturnType<typeof open>;

async function setBack({ time }: Open) {
  time.moveTo(time.now() - HOUR_MS);
  await time.advance(0);
}

/** A run with a task that takes a minute, so that it is driven all the time. */
function busy(scene: Open, ...waits: ((api: Open["api"]) => React.ReactNode)[]) {
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  return service(() => (
    <Workflow name="busy">
      <Parallel maxConcurrency={10}>
        <Task id="slow" output={outputs.step} retries={0}>
          {async () => {
            await new Promise<void>((resolve) => scene.time.setDelay(60_000, resolve));
            return { n: 1 };
          }}
        </Task>
        {waits.map((wait) => wait(scene.api))}
      </Parallel>
    </Workflow>
  ));
}

/** A run with a task that ends only when the test ends it. */
function hanging(
  { api: { Workflow, Task, outputs, service } }: Open,
  limits: { timeoutMs?: number; heartbeatTimeoutMs?: number; retries: number; retryPolicy?: RetryPolicy },
) {
  return service(() => (
    <Workflow name="hanging">
      <Task id="hanging" output={outputs.step} {...limits}>
        {(_inputs, { signal }) =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          })
        }
      </Task>
    </Workflow>
  ));
}

/** Everything the database says has begun and ended. */
async function spans({ store, events }: Open): Promise<[from: number | null, to: number | null][]> {
  const run = await store.getRun("run");
  return [
    [run?.startedAtMs ?? null, run?.finishedAtMs ?? null],
    ...(await store.listAttempts("run")).map((row): [number, number | null] => [
      row.startedAtMs,
      row.finishedAtMs,
    ]),
    ...(await store.listApprovals({ runId: "run", limit: 10 })).map((row): [number, number | null] => [
      row.requestedAtMs,
      row.decidedAtMs,
    ]),
    ...(await events("TimerFired")).map((event): [number, number] => [event.firesAtMs, event.firedAtMs]),
  ];
}

describe("while the clock is set back", () => {
  it("a timer fires once, and not before its time", async () => {
    const scene = open();
    const start = scene.time.now();
    const workflow = busy(scene, ({ Timer }) => (
      <Timer key="nap" id="nap" until={new Date(start + 10_000)} />
    ));
    const driving = scene.drive(workflow);
    await scene.time.advance(5_000);
    await setBack(scene);
    expect(await scene.time.until(driving)).toMatchObject({ status: "waiting-timer" });
    scene.time.moveTo(start + 9_999);
    expect(await scene.drive(workflow, { resume: true })).toMatchObject({ status: "waiting-timer" });
    scene.time.moveTo(start + 10_000);
    expect(await scene.drive(workflow, { resume: true })).toMatchObject({ status: "finished" });
    expect(await scene.events("TimerFired")).toMatchObject([{ firedAtMs: start + 10_000 }]);
  });

  it("the run's owner continues giving signs of life", async () => {
    const scene = open();
    const driving = scene.drive(busy(scene));
    await scene.time.advance(5_000);
    await setBack(scene);
    for (let passed = 0; passed < 30_000; passed += 1_000) {
      await scene.time.advance(1_000);
      const { heartbeatAtMs } = (await scene.store.getRun("run")) ?? {};
      expect(Math.abs(scene.time.now() - (heartbeatAtMs ?? 0))).toBeLessThanOrEqual(2 * HEARTBEAT_MS);
    }
    expect(await scene.time.until(driving)).toMatchObject({ status: "finished" });
  });

  it("signals and decisions of other processes arrive at once", async () => {
    const scene = open();
    const driving = scene.drive(
      busy(
        scene,
        ({ Signal, outputs }) => <Signal key="go" id="go" schema={outputs.go} />,
        ({ Approval, outputs }) => (
          <Approval key="ok" id="ok" output={outputs.decision} request={{ title: "Ship it?" }} />
        ),
      ),
    );
    await scene.time.advance(5_000);
    await setBack(scene);
    const elsewhere = new ServiceDb(createService(schemas, { dbPath: scene.path }).db);
    await signalRun(elsewhere, { runId: "run", signal: "go", data: { speed: 1 } });
    await approveNode(elsewhere, { runId: "run", nodeId: "ok", decidedBy: "ada" });
    await elsewhere.store.close();
    await scene.time.advance(1_000);
    expect(await scene.node("go")).toMatchObject({ state: "finished" });
    expect(await scene.node("ok")).toMatchObject({ state: "finished" });
    expect(await scene.time.until(driving)).toMatchObject({ status: "finished" });
  });

  it("a task is ended, and tried again, after the time that was meant", async () => {
    const scene = open();
    const workflow = hanging(scene, {
      timeoutMs: 30_000,
      retries: 1,
      retryPolicy: { initialDelayMs: 20_000 },
    });
    const driving = scene.drive(workflow);
    await scene.time.advance(0);
    const seconds: Record<string, number[]> = {};
    for (let second = 0; second < 90; second += 1) {
      // Once during each attempt, and once during the back-off.
      if ([10, 40, 60].includes(second)) await setBack(scene);
      for (const type of ["NodeStarted", "NodeFailed"] as const) {
        const seen = (await scene.events(type)).length;
        seconds[type] ??= [];
        while (seconds[type].length < seen) seconds[type].push(second);
      }
      await scene.time.advance(1_000);
    }
    expect(await driving).toMatchObject({ status: "failed", error: { code: "TASK_TIMEOUT" } });
    // To the second: that the clock was set is noticed a little later.
    expect(seconds).toEqual({
      NodeStarted: [0, expect.closeTo(50, -0.4)],
      NodeFailed: [expect.closeTo(30, -0.4), expect.closeTo(80, -0.4)],
    });
  });

  it("a task is tried again no later than the policy says, by the next process", async () => {
    const scene = open();
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="flaky">
        <Task id="flaky" output={outputs.step} retries={1} retryPolicy={{ initialDelayMs: 20_000 }}>
          {(_inputs, { attempt }) => {
            if (attempt === 1) throw new Error("not yet");
            return { n: attempt };
          }}
        </Task>
      </Workflow>
    ));
    const controller = new AbortController();
    const driving = scene.drive(workflow, { signal: controller.signal });
    await scene.time.advance(0);
    controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
    await driving;
    scene.time.moveTo(scene.time.now() - 24 * HOUR_MS);
    const resumedAt = scene.time.now();
    expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
    expect((await scene.attempts("flaky"))[1]?.startedAtMs).toBe(resumedAt + 20_000);
  });

  it("a task is given up for want of signs of life after the time that was meant", async () => {
    const scene = open();
    const driving = scene.drive(hanging(scene, { heartbeatTimeoutMs: 30_000, retries: 0 }));
    await scene.time.advance(10_000);
    await setBack(scene);
    await scene.time.advance(19_000);
    expect(await scene.events("TaskHeartbeatTimeout")).toEqual([]);
    await scene.time.advance(2_000);
    expect(await scene.events("TaskHeartbeatTimeout")).toHaveLength(1);
    expect(await driving).toMatchObject({ status: "failed", error: { code: "TASK_HEARTBEAT_TIMEOUT" } });
  });

  it("nothing ends before it begins", async () => {
    const scene = open();
    const driving = scene.drive(
      busy(scene, ({ Approval, outputs }) => (
        <Approval key="ok" id="ok" output={outputs.decision} request={{ title: "Ship it?" }} />
      )),
    );
    await scene.time.advance(5_000);
    await setBack(scene);
    await approveNode(new ServiceDb(scene.api.db), { runId: "run", nodeId: "ok" });
    expect(await scene.time.until(driving)).toMatchObject({ status: "finished" });
    const all = await spans(scene);
    expect(all).toHaveLength(4);
    for (const [from, to] of all) expect(to).toBeGreaterThanOrEqual(from ?? Number.NaN);
  });
});
