import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { approveNode, runWorkflow, type ServiceWorkflow } from "../../../src/index.js";
import { stayAwake } from "../../../src/operations/drive/stay-awake.js";
import { storeOf } from "../../../src/operations/request/target.js";
import { openExisting, ServiceDb } from "../../../src/store/index.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { decision: z.object({ approved: z.boolean() }), output: z.object({ ok: z.boolean() }) };

function asking(duration?: string): ServiceWorkflow {
  const { Workflow, Sequence, Approval, Timer, Task, outputs, service } = openScene(schemas).api;
  return service(() => (
    <Workflow name="asking">
      <Sequence>
        {duration === undefined ? (
          <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        ) : (
          <Timer id="rest" duration={duration} />
        )}
        <Task id="end" output={outputs.output}>
          {{ ok: true }}
        </Task>
      </Sequence>
    </Workflow>
  )) as unknown as ServiceWorkflow;
}

async function stay(workflow: ServiceWorkflow, { wait }: { wait: boolean }, signal?: AbortSignal) {
  const first = await runWorkflow(workflow, { runId: "run", input: {} });
  return stayAwake(workflow, first, {
    wait,
    signal: signal ?? new AbortController().signal,
    resume: (runId) => runWorkflow(workflow, { runId, resume: true }),
  });
}

describe("staying with a run that waits", () => {
  it("continues it when its time has come", async () => {
    expect(await stay(asking("5ms"), { wait: false })).toMatchObject({ status: "finished" });
  });

  it("leaves it where only a person can move it", async () => {
    expect(await stay(asking(), { wait: false })).toMatchObject({ status: "waiting-approval" });
  });

  it("waits for a person on request, and continues it with the answer", async () => {
    const workflow = asking();
    const staying = stay(workflow, { wait: true });
    const decide = async (): Promise<void> => {
      try {
        await approveNode(workflow, { runId: "run", nodeId: "ok" });
      } catch {
        // It does not ask yet.
        setImmediate(() => void decide());
      }
    };
    await decide();
    expect(await staying).toMatchObject({ status: "finished" });
  });

  it("reads nothing while nothing changes, and finds what another handle of the database has written", async () => {
    const workflow = asking();
    const store = await storeOf(workflow);
    const reads = [vi.spyOn(store, "getRun"), vi.spyOn(store, "pendingIntents")];
    const asked = vi.spyOn(store, "changeToken");
    const clock = new VirtualClock();
    const first = await runWorkflow(workflow, { runId: "run", input: {} });
    const resume = vi.fn(async () => ({ ...first, status: "finished" as const, output: [] }));
    const staying = stayAwake(workflow, first, {
      wait: true,
      signal: new AbortController().signal,
      resume: resume as never,
      clock,
    });
    const look = async () => {
      const before = asked.mock.calls.length;
      await expect.poll(() => clock.nextTimer(), { interval: 1 }).toBeDefined();
      clock.moveTo(clock.nextTimer() as number);
      await expect.poll(() => asked.mock.calls.length, { interval: 1 }).toBeGreaterThan(before);
      await expect.poll(() => clock.nextTimer(), { interval: 1 }).toBeDefined();
    };
    // The first look of a feed always finds a change, and the run reads what it may be; each read may take a turn.
    await look();
    for (let turns = 0; turns < 50; turns += 1) await turnOfLoop();
    for (const read of reads) read.mockClear();
    for (let times = 0; times < 20; times += 1) await look();
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect(resume).not.toHaveBeenCalled();
    const other = openExisting(store.path as string);
    await approveNode(new ServiceDb(other), { runId: "run", nodeId: "ok" });
    clock.moveTo(clock.nextTimer() as number);
    expect(await staying).toMatchObject({ status: "finished" });
    expect(resume).toHaveBeenCalledTimes(1);
    other.close();
  });

  it("releases it when the signal fires", async () => {
    const stop = new AbortController();
    const staying = stay(asking("1h"), { wait: true }, stop.signal);
    stop.abort();
    expect(await staying).toMatchObject({ status: "waiting-timer" });
  });
});
