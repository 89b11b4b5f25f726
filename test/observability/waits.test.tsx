import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, approveNode, denyNode, serviceMetrics, signalRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const schemas = {
  decision: approvalDecision,
  order: z.object({ n: z.number() }),
};

function deciding() {
  const scene = openScene(schemas);
  const { Workflow, Approval, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="deciding">
      <Approval id="ship" output={outputs.decision} request={{ title: "Ship it?" }} />
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("an approval", () => {
  const names = [
    "service_approvals_requested",
    "service_approvals_granted",
    "service_approvals_denied",
    "service_approval_pending",
    "service_approval_wait_duration_ms_sum",
    "service_runs_active",
  ] as const;

  it("is pending while its run is suspended, and its wait ends with the decision", async () => {
    const { workflow, drive, resume, time } = deciding();
    const changes = watchMetrics();
    expect((await drive(workflow)).status).toBe("waiting-approval");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 0, 1, 0, 0]);
    expect(changes.of("service_external_wait_async_pending", { kind: "approval" })).toBe(1);
    await time.advance(90_000);
    await approveNode(workflow, { runId: "run", nodeId: "ship" });
    expect((await resume(workflow)).status).toBe("finished");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 1, 0, 0, 90_000, 0]);
    expect(changes.of("service_external_wait_async_pending", { kind: "approval" })).toBe(0);
  });

  it("that is refused is counted as denied", async () => {
    const { workflow, drive, resume } = deciding();
    const changes = watchMetrics();
    await drive(workflow);
    await denyNode(workflow, { runId: "run", nodeId: "ship" });
    expect((await resume(workflow)).status).toBe("failed");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 1, 0, 0, 0]);
  });

  it("asked for in another process is pending here, and has its full wait where the run continues", async () => {
    const { workflow, drive, resume, time, services } = deciding();
    // Another process counts for itself.
    Object.assign(services, { watch: undefined });
    await drive(workflow);
    const { engineServices } = await import("../../src/operations/request/target.js");
    Object.assign(services, { watch: engineServices(services.store).watch });
    const changes = watchMetrics();
    await time.advance(60_000);
    await resume(workflow);
    expect(Object.values(changesOf(changes, ...names))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(serviceMetrics.approvalPending.value()).toBeGreaterThan(0);
    await time.advance(60_000);
    await approveNode(workflow, { runId: "run", nodeId: "ship" });
    await resume(workflow);
    expect(Object.values(changesOf(changes, ...names))).toEqual([0, 1, 0, -1, 120_000, 0]);
    expect(changes.of("service_run_duration_ms_sum")).toBe(120_000);
    expect(changes.of("service_runs_total")).toBe(0);
    expect(changes.of("service_runs_resumed_total")).toBe(2);
  });

  it("does not become more pending with each resume", async () => {
    const { workflow, drive, resume } = deciding();
    const changes = watchMetrics();
    await drive(workflow);
    for (let time = 0; time < 3; time += 1) await resume(workflow);
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 0, 1, 0, 0]);
    expect(changes.of("service_runs_total")).toBe(1);
  });
});

describe("a timer", () => {
  it("is pending until it fires, and says how late it was", async () => {
    const { api, drive, resume, time } = openScene(schemas);
    const { Workflow, Timer, service } = api;
    const changes = watchMetrics();
    const names = [
      "service_timers_created",
      "service_timers_pending",
      "service_timers_fired",
      "service_timers_delay_ms_count",
      "service_timers_delay_ms_sum",
    ] as const;
    const workflow = service(() => (
      <Workflow name="sleeping">
        <Timer id="nap" duration="2h" />
      </Workflow>
    ));
    expect((await drive(workflow)).status).toBe("waiting-timer");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 1, 0, 0, 0]);
    await time.sleepThrough(2 * 3_600_000 + 700);
    expect((await resume(workflow)).status).toBe("finished");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 1, 1, 700]);
  });
});

describe("a node that waits for a signal", () => {
  it("is pending outside until the signal is there", async () => {
    const { api, drive, resume } = openScene(schemas);
    const { Workflow, WaitForEvent, service, outputs } = api;
    const changes = watchMetrics();
    const pending = () => changes.of("service_external_wait_async_pending", { kind: "event" });
    const workflow = service(() => (
      <Workflow name="listening">
        <WaitForEvent id="ordered" event="order" output={outputs.order} />
      </Workflow>
    ));
    expect((await drive(workflow)).status).toBe("waiting-event");
    expect(pending()).toBe(1);
    await signalRun(workflow, { runId: "run", signal: "order", data: { n: 3 } });
    expect((await resume(workflow)).status).toBe("finished");
    expect(pending()).toBe(0);
  });
});
