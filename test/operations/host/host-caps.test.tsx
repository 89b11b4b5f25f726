import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelRun, explainRun, listRuns } from "../../../src/index.js";
import { HostedRuns, type HostedRunsOptions } from "../../../src/operations/host/hosted-runs.js";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";
import { watchMetrics } from "../../observability/support/changes.js";
import { nextMillisecond } from "../../support/next-millisecond.js";

const opened: HostedRuns[] = [];
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())));

function hosting(options: Pick<HostedRunsOptions, "maxActiveRuns" | "maxActiveTasks">) {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  const begun: string[] = [];
  const held = deferred<void>();
  const seen = { running: 0, most: 0 };
  const workflow = service(() => (
    <Workflow name="capped">
      <Parallel>
        {["a", "b", "c"].map((id) => (
          <Task key={id} id={id} output={outputs.row}>
            {async (_inputs, { runId }) => {
              begun.push(`${runId} ${id}`);
              seen.running += 1;
              seen.most = Math.max(seen.most, seen.running);
              await held.promise;
              seen.running -= 1;
              return { n: 1 };
            }}
          </Task>
        ))}
      </Parallel>
    </Workflow>
  ));
  const host = new HostedRuns({ ...options, intervalMs: 20, workflowFor: async () => workflow });
  opened.push(host);
  const start = async (runId: string) => {
    // Times of creation tell the order.
    await nextMillisecond();
    return host.start(workflow, { runId, input: {} });
  };
  const ended = (runId: string) =>
    expect.poll(async () => (await scene.store.getRun(runId))?.status).toBe("finished");
  return { ...scene, workflow, begun, held, seen, host, start, ended };
}

describe("a host with a cap on runs", () => {
  it("starts each run once in the log and in the metrics, those that it queued first too", async () => {
    const changes = watchMetrics();
    const { store, held, start, ended } = hosting({ maxActiveRuns: 1 });
    const runIds = ["one", "two", "three"];
    for (const runId of runIds) await start(runId);
    held.resolve();
    for (const runId of runIds) {
      await ended(runId);
      const starts = await store.listEvents(runId, { types: ["RunStarted"], limit: 10 });
      expect(starts.map(({ event }) => event)).toMatchObject([{ resumed: false }]);
    }
    expect(changes.of("service_runs_total")).toBe(3);
    expect(changes.of("service_runs_resumed_total")).toBe(0);
  });

  it("keeps runs over it in the database, says so, and begins them in the order in which they were made", async () => {
    const { workflow, begun, held, start, ended } = hosting({ maxActiveRuns: 1 });
    for (const runId of ["one", "two", "three"]) {
      expect(await start(runId)).toEqual({ runId, status: "running", isNew: true });
    }
    await expect.poll(() => begun).toEqual(["one a", "one b", "one c"]);
    expect((await explainRun(workflow, "two")).blockers).toMatchObject([
      { kind: "queued", ahead: 0, remedy: null, summary: expect.stringContaining("begins by itself") },
    ]);
    const shown = (await listRuns(workflow)).runs.map(({ runId, runState }) => [runId, runState]);
    expect(Object.fromEntries(shown)).toMatchObject({ one: "running", two: "queued", three: "queued" });
    expect((await explainRun(workflow, "three")).blockers).toMatchObject([
      { kind: "queued", ahead: 1, summary: expect.stringContaining("1 run(s) come first") },
    ]);
    held.resolve();
    for (const runId of ["one", "two", "three"]) await ended(runId);
    expect(begun.map((line) => line.split(" ")[0])).toEqual([
      ...Array(3).fill("one"),
      ...Array(3).fill("two"),
      ...Array(3).fill("three"),
    ]);
  });

  it("refuses to resume another one meanwhile", async () => {
    const { workflow, held, host, start, store } = hosting({ maxActiveRuns: 1 });
    await start("one");
    await start("two");
    await expect(host.resume(workflow, { runId: "two" })).rejects.toMatchObject({
      code: "CAPACITY_EXCEEDED",
      details: { runId: "two", maxActiveRuns: 1 },
    });
    expect((await store.getRun("two"))?.startedAtMs).toBeNull();
    held.resolve();
  });

  it("passes over a run that was cancelled while it waited", async () => {
    const { workflow, begun, held, start, ended } = hosting({ maxActiveRuns: 1 });
    for (const runId of ["one", "two", "three"]) await start(runId);
    await cancelRun(workflow, { runId: "two" });
    held.resolve();
    await ended("three");
    expect(begun.some((line) => line.startsWith("two"))).toBe(false);
  });
});

describe("a host with a cap on tasks", () => {
  it("has no more of them at work, whatever its runs allow", async () => {
    const { begun, held, seen, start, ended } = hosting({ maxActiveTasks: 2 });
    await start("one");
    await start("two");
    await expect.poll(() => begun.length).toBe(2);
    held.resolve();
    await ended("one");
    await ended("two");
    expect(seen.most).toBe(2);
    expect(begun).toHaveLength(6);
    // In turn.
    expect(
      begun
        .slice(2, 4)
        .map((line) => line.split(" ")[0])
        .sort(),
    ).toEqual(["one", "two"]);
  });
});
