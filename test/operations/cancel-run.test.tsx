import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { cancelRun, getRun, ServiceDb, ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), decision: z.object({ approved: z.boolean() }) };

function working(options: { obeys: boolean }) {
  const scene = openScene(schemas);
  const { Workflow, Task, Parallel, Timer, outputs, service } = scene.api;
  const reasons: unknown[] = [];
  const workflow = service(() => (
    <Workflow name="working">
      <Task id="done" output={outputs.step}>
        {{ n: 1 }}
      </Task>
      <Parallel>
        <Task id="busy" output={outputs.step}>
          {async (_inputs, { signal }) => {
            signal.addEventListener("abort", () => reasons.push(signal.reason));
            await scene.time.pause(60_000, options.obeys ? signal : undefined);
            return { n: 2 };
          }}
        </Task>
        <Timer id="later" duration="2h" />
      </Parallel>
      <Task id="after" output={outputs.step}>
        {{ n: 3 }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow, reasons };
}

describe("cancelling a run that is being driven", () => {
  it("reaches the work with the reason, and ends every node that had not ended", async () => {
    const scene = working({ obeys: true });
    const driving = scene.drive(scene.workflow);
    await scene.time.advance(1_000);
    const answer = await cancelRun(scene.workflow, {
      runId: "run",
      reason: "wrong branch",
      requestedBy: "ada",
    });
    expect(answer).toEqual({ runId: "run", status: "cancelling", seq: null });
    expect(await scene.time.until(driving)).toEqual({ runId: "run", status: "cancelled" });
    expect(scene.reasons).toMatchObject([{ code: "RUN_CANCELLED" }]);
    expect(String((scene.reasons[0] as Error).message)).toContain("wrong branch");
    const states = (await scene.store.listNodes("run")).map(({ nodeId, state }) => [nodeId, state]);
    expect(Object.fromEntries(states)).toEqual({
      done: "finished",
      busy: "cancelled",
      later: "cancelled",
      after: "cancelled",
    });
    expect(await scene.events("RunCancelled")).toMatchObject([
      { reason: "wrong branch", requestedBy: "ada" },
    ]);
    expect(await scene.events("TimerCancelled")).toMatchObject([{ nodeId: "later" }]);
    expect(await scene.store.pendingIntents("run")).toEqual([]);
    expect((await getRun(scene.workflow, "run")).runState).toBe("cancelled");
  });

  it("does not wait for ever for a task that ignores its signal, and drops what it returns", async () => {
    const scene = working({ obeys: false });
    const driving = scene.drive(scene.workflow);
    await scene.time.advance(1_000);
    const askedAt = scene.time.now();
    await cancelRun(scene.workflow, { runId: "run" });
    expect((await scene.time.until(driving)).status).toBe("cancelled");
    expect(scene.time.now() - askedAt).toBeLessThanOrEqual(6_000);
    await scene.time.advance(120_000);
    expect(await scene.attempts("busy")).toMatchObject([{ state: "cancelled" }]);
    expect(await scene.store.listOutputs("run", "step")).toEqual([{ n: 1 }]);
  });

  it("asked for twice is one cancellation", async () => {
    const scene = working({ obeys: true });
    const driving = scene.drive(scene.workflow);
    await scene.time.advance(1_000);
    await Promise.all([
      cancelRun(scene.workflow, { runId: "run", reason: "first" }),
      cancelRun(scene.workflow, { runId: "run", reason: "second" }),
    ]);
    await scene.time.until(driving);
    expect(await scene.events("RunCancelled")).toMatchObject([{ reason: "first" }]);
    expect(await scene.store.pendingIntents("run")).toEqual([]);
  });
});

describe("cancelling a run that no process drives", () => {
  it("ends it at once, without its workflow being rendered", async () => {
    const scene = openScene(schemas);
    const { Workflow, Approval, Task, outputs, service } = scene.api;
    let renders = 0;
    const workflow = service(() => {
      renders += 1;
      return (
        <Workflow name="parked">
          <Approval id="ok" output="decision" request={{ title: "Continue?" }} />
          <Task id="after" output={outputs.step}>
            {{ n: 1 }}
          </Task>
        </Workflow>
      );
    });
    expect((await scene.run(workflow)).status).toBe("waiting-approval");
    const before = renders;
    expect(await cancelRun(workflow, { runId: "run", reason: "too late" })).toMatchObject({
      runId: "run",
      status: "cancelled",
    });
    expect(renders).toBe(before);
    expect((await scene.node("ok"))?.state).toBe("cancelled");
    expect(await scene.events("RunCancelled")).toMatchObject([{ reason: "too late" }]);
    expect((await getRun(workflow, "run")).blockers).toEqual([]);
  });

  it("tells what keeps the database from being written, instead of speaking of an owner", async () => {
    const scene = openScene(schemas);
    const { Workflow, Approval, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="parked">
        <Approval id="ok" output="decision" request={{ title: "Continue?" }} />
      </Workflow>
    ));
    await scene.run(workflow);
    const busy = new ServiceError("DB_BUSY", "The database is locked.");
    vi.spyOn(new ServiceDb(workflow.db).store, "claimRun").mockImplementation(() => {
      throw busy;
    });
    await expect(cancelRun(workflow, { runId: "run" })).rejects.toBe(busy);
  });

  it("closes the attempts that a dead process left open", async () => {
    const scene = working({ obeys: true });
    const controller = new AbortController();
    void scene.drive(scene.workflow, { signal: controller.signal }).catch(() => undefined);
    await scene.time.advance(1_000);
    // The owner falls silent for so long that it counts as gone.
    const run = await scene.store.getRun("run");
    await scene.store.heartbeat(
      { runId: "run", ownerId: run?.ownerId ?? "", epoch: run?.epoch ?? 0 },
      Date.now() - 3_600_000,
    );
    expect((await cancelRun(scene.workflow, { runId: "run" })).status).toBe("cancelled");
    expect(await scene.attempts("busy")).toMatchObject([{ state: "interrupted" }]);
    expect((await scene.node("busy"))?.state).toBe("cancelled");
    controller.abort();
    await scene.time.advance(10_000);
    expect((await scene.store.getRun("run"))?.status).toBe("cancelled");
  });
});

describe("cancelling is refused", () => {
  it("for a run that does not exist, and for one that has ended", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="short">
        <Task id="only" output={outputs.step}>
          {{ n: 1 }}
        </Task>
      </Workflow>
    ));
    await expect(cancelRun(workflow, { runId: "run" })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await scene.run(workflow);
    await expect(cancelRun(workflow, { runId: "run" })).rejects.toMatchObject({
      code: "RUN_NOT_ACTIVE",
      details: { runId: "run", status: "finished" },
    });
    expect(await scene.store.pendingIntents("run")).toEqual([]);
  });
});
