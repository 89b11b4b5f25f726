import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { settle } from "../support/engine/virtual-time.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const schemas = { row: z.object({ n: z.number() }), output: z.object({ n: z.number() }) };
const row = { n: 1 };

describe("a run that finishes", () => {
  it("is counted with its nodes and events, and leaves nothing active", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Parallel, Task, service, outputs } = api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="three">
        <Parallel>
          {["a", "b", "c"].map((id) => (
            <Task key={id} id={id} output={outputs.row}>
              {row}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("finished");
    const events = await store.listEvents("run", { limit: 1000 });
    expect(
      changesOf(
        changes,
        "service_runs_total",
        "service_runs_finished_total",
        "service_runs_resumed_total",
        "service_runs_failed_total",
        "service_nodes_started",
        "service_nodes_finished",
        "service_nodes_failed",
        "service_errors_total",
        "service_events_emitted_total",
        "service_runs_active",
        "service_nodes_active",
        "service_run_duration_ms_count",
        "service_node_duration_ms_count",
        "service_attempt_duration_ms_count",
      ),
    ).toEqual({
      service_runs_total: 1,
      service_runs_finished_total: 1,
      service_runs_resumed_total: 0,
      service_runs_failed_total: 0,
      service_nodes_started: 3,
      service_nodes_finished: 3,
      service_nodes_failed: 0,
      service_errors_total: 0,
      service_events_emitted_total: events.length,
      service_runs_active: 0,
      service_nodes_active: 0,
      service_run_duration_ms_count: 1,
      service_node_duration_ms_count: 3,
      service_attempt_duration_ms_count: 3,
    });
  });

  it("lasts as long as its clock says", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="slow">
        <Task id="slow" output={outputs.row}>
          {async () => {
            await time.pause(1500);
            return row;
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    expect(
      changesOf(
        changes,
        "service_run_duration_ms_sum",
        "service_node_duration_ms_sum",
        "service_attempt_duration_ms_sum",
      ),
    ).toEqual({
      service_run_duration_ms_sum: 1500,
      service_node_duration_ms_sum: 1500,
      service_attempt_duration_ms_sum: 1500,
    });
  });
});

describe("a run in progress", () => {
  it("is active with its attempts; its queue and its slots can be seen", async () => {
    const { api, drive, time } = openScene(schemas);
    const { Workflow, Parallel, Task, service, outputs } = api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="busy">
        <Parallel>
          {["a", "b", "c", "d", "e"].map((id) => (
            <Task key={id} id={id} output={outputs.row}>
              {async () => {
                await time.pause(1000);
                return row;
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    const done = drive(workflow, { maxConcurrency: 2 });
    await settle();
    const busy = [
      "service_runs_active",
      "service_nodes_active",
      "service_scheduler_queue_depth",
      "service_scheduler_concurrency_utilization",
    ] as const;
    expect(changesOf(changes, ...busy)).toEqual({
      service_runs_active: 1,
      service_nodes_active: 2,
      service_scheduler_queue_depth: 3,
      service_scheduler_concurrency_utilization: 1,
    });
    await time.until(done);
    expect(Object.values(changesOf(changes, ...busy))).toEqual([0, 0, 0, 0]);
  });
});

describe("runs in progress at once", () => {
  it("share one queue depth and one utilization, which go with the last of them", async () => {
    const { api, drive, time } = openScene(schemas);
    const { Workflow, Parallel, Task, service, outputs } = api;
    const changes = watchMetrics();
    const busy = (ids: string[], ms: number) =>
      service(() => (
        <Workflow name="busy">
          <Parallel>
            {ids.map((id) => (
              <Task key={id} id={id} output={outputs.row}>
                {() => time.pause(ms).then(() => row)}
              </Task>
            ))}
          </Parallel>
        </Workflow>
      ));
    const load = () => ({
      queued: changes.of("service_scheduler_queue_depth"),
      utilization: changes.of("service_scheduler_concurrency_utilization"),
      active: changes.of("service_nodes_active"),
    });
    const full = drive(busy(["a", "b", "c", "d"], 1000), { runId: "full", maxConcurrency: 1 });
    const idle = drive(busy(["a"], 10_000), { runId: "idle", maxConcurrency: 3 });
    await settle();
    expect(load()).toEqual({ queued: 3, utilization: 2 / 4, active: 2 });
    await time.advance(4000);
    expect((await full).status).toBe("finished");
    expect(load()).toEqual({ queued: 0, utilization: 1 / 3, active: 1 });
    await time.until(idle);
    expect(load()).toEqual({ queued: 0, utilization: 0, active: 0 });
  });
});

describe("a node that finds no free slot", () => {
  it("waits for one, and the others do not", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Parallel, Task, service, outputs } = api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="queue">
        <Parallel maxConcurrency={1}>
          {["first", "second", "third"].map((id) => (
            <Task key={id} id={id} output={outputs.row}>
              {async () => {
                await time.pause(1000);
                return row;
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    await run(workflow);
    expect(
      changesOf(
        changes,
        "service_scheduler_wait_duration_ms_count",
        "service_scheduler_wait_duration_ms_sum",
      ),
    ).toEqual({ service_scheduler_wait_duration_ms_count: 3, service_scheduler_wait_duration_ms_sum: 3000 });
  });
});

describe("a run that fails", () => {
  it("is counted as failed, and each of its attempts has a duration", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="failing">
        <Task id="failing" output={outputs.row} retries={2}>
          {(_inputs, { attempt }) => {
            throw new Error(`No luck at ${attempt}.`);
          }}
        </Task>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("failed");
    expect(
      changesOf(
        changes,
        "service_runs_failed_total",
        "service_runs_finished_total",
        "service_nodes_started",
        "service_nodes_failed",
        "service_node_retries_total",
        "service_errors_total",
        "service_attempt_duration_ms_count",
        "service_node_duration_ms_count",
        "service_runs_active",
        "service_nodes_active",
      ),
    ).toEqual({
      service_runs_failed_total: 1,
      service_runs_finished_total: 0,
      service_nodes_started: 3,
      service_nodes_failed: 3,
      service_node_retries_total: 2,
      service_errors_total: 4,
      service_attempt_duration_ms_count: 3,
      service_node_duration_ms_count: 1,
      service_runs_active: 0,
      service_nodes_active: 0,
    });
  });
});

describe("a run that is cancelled", () => {
  const waiting = (scene: ReturnType<typeof openScene<typeof schemas>>) => {
    const { Workflow, Timer, service } = scene.api;
    return service(() => (
      <Workflow name="waiting">
        <Timer id="later" duration="2h" />
      </Workflow>
    ));
  };

  it("while no process drives it is counted where it is cancelled", async () => {
    const scene = openScene(schemas);
    const workflow = waiting(scene);
    await scene.drive(workflow);
    const changes = watchMetrics();
    await cancelRun(workflow, { runId: "run" });
    expect(
      changesOf(
        changes,
        "service_runs_cancelled_total",
        "service_timers_cancelled",
        "service_timers_pending",
        "service_runs_active",
        "service_run_duration_ms_count",
      ),
    ).toEqual({
      service_runs_cancelled_total: 1,
      service_timers_cancelled: 1,
      service_timers_pending: -1,
      service_runs_active: 0,
      service_run_duration_ms_count: 1,
    });
  });

  it("in the middle of a task leaves no active node", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, service, outputs } = scene.api;
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="endless">
        <Task id="endless" output={outputs.row}>
          {(_inputs, { signal }) => scene.time.pause(3_600_000, signal).then(() => row)}
        </Task>
      </Workflow>
    ));
    const controller = new AbortController();
    const done = scene.drive(workflow, { signal: controller.signal });
    await settle();
    controller.abort();
    expect((await done).status).toBe("cancelled");
    expect(
      changesOf(
        changes,
        "service_runs_cancelled_total",
        "service_nodes_active",
        "service_runs_active",
        "service_attempt_duration_ms_count",
      ),
    ).toEqual({
      service_runs_cancelled_total: 1,
      service_nodes_active: 0,
      service_runs_active: 0,
      service_attempt_duration_ms_count: 1,
    });
  });
});
