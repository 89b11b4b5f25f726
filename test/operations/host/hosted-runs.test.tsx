import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { RunStatus } from "../../../src/model/run.js";
import type { ServiceWorkflow } from "../../../src/model/workflow.js";
import { approveNode } from "../../../src/operations/decide-approval.js";
import { HostedRuns } from "../../../src/operations/host/hosted-runs.js";
import { approvalDecision } from "../../../src/model/approval-rows.js";
import { signalRun } from "../../../src/operations/send-signal.js";
import type { Store } from "../../../src/store/contract.js";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";

const opened: HostedRuns[] = [];
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())));

function hosting() {
  const scene = openScene({
    input: z.object({ n: z.number() }),
    done: z.object({ n: z.number() }),
    gate: approvalDecision,
  });
  const { Workflow, Sequence, Approval, Signal, Task, service, outputs } = scene.api;
  const bodies: string[] = [];
  const held = deferred<void>();
  const workflow = service((ctx) => (
    <Workflow name="hosted">
      <Sequence>
        <Task id="first" output={outputs.done}>
          {async () => {
            bodies.push("first");
            if (ctx.input.n === 3) await held.promise;
            return { n: ctx.input.n };
          }}
        </Task>
        {ctx.input.n === 1 && <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />}
        {ctx.input.n === 2 && <Signal id="go" schema={outputs.done} />}
      </Sequence>
    </Workflow>
  ));
  return { ...scene, workflow, bodies, held };
}

function host(workflow: ServiceWorkflow, options: { adopts?: boolean; errors?: Error[] } = {}): HostedRuns {
  const { errors = [], ...rest } = options;
  const made = new HostedRuns({
    ...rest,
    intervalMs: 20,
    workflowFor: async () => workflow,
    onError: (_runId, error) => errors.push(error),
  });
  opened.push(made);
  return made;
}

async function reaches(store: Store, runId: string, status: RunStatus): Promise<void> {
  await expect.poll(async () => (await store.getRun(runId))?.status, { timeout: 100_000 }).toBe(status);
}

describe("runs that a host has taken on", () => {
  it("begin before the start returns, and end without a caller that waits for them", async () => {
    const { workflow, store } = hosting();
    const runs = host(workflow);
    expect(await runs.start(workflow, { runId: "run", input: { n: 0 } })).toEqual({
      runId: "run",
      status: "running",
      isNew: true,
    });
    await reaches(store, "run", "finished");
  });

  it("are not started twice: an equal start gives the run that there is", async () => {
    const { workflow, store, bodies } = hosting();
    const runs = host(workflow);
    const starts = await Promise.all([
      runs.start(workflow, { runId: "run", input: { n: 1 } }),
      runs.start(workflow, { runId: "run", input: { n: 1 } }),
    ]);
    expect(starts.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    await reaches(store, "run", "waiting-approval");
    expect(await runs.start(workflow, { runId: "run", input: { n: 1 } })).toEqual({
      runId: "run",
      status: "waiting-approval",
      isNew: false,
    });
    expect(bodies).toEqual(["first"]);
  });

  it("may be asked to continue while they do: nothing begins anew", async () => {
    const { workflow, store, held } = hosting();
    const runs = host(workflow);
    await runs.start(workflow, { runId: "run", input: { n: 3 } });
    expect(await runs.resume(workflow, { runId: "run" })).toEqual({
      runId: "run",
      status: "running",
      isNew: false,
    });
    expect((await store.getRun("run"))?.epoch).toBe(1);
    held.resolve();
    await reaches(store, "run", "finished");
  });

  it("refuse another input under the same id", async () => {
    const { workflow } = hosting();
    const runs = host(workflow);
    await runs.start(workflow, { runId: "run", input: { n: 0 } });
    await expect(runs.start(workflow, { runId: "run", input: { n: 5 } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("refuse input that does not fit before anything is stored", async () => {
    const { workflow, store } = hosting();
    await expect(host(workflow).start(workflow, { runId: "run", input: {} })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(await store.getRun("run")).toBeUndefined();
  });

  it("continue when an answer has come, in this process or in another", async () => {
    const { workflow, store } = hosting();
    const runs = host(workflow);
    await runs.start(workflow, { runId: "asks", input: { n: 1 } });
    await runs.start(workflow, { runId: "listens", input: { n: 2 } });
    await reaches(store, "asks", "waiting-approval");
    await reaches(store, "listens", "waiting-event");
    await approveNode(workflow, { runId: "asks", nodeId: "gate" });
    runs.wake(store, "asks");
    await signalRun(workflow, { runId: "listens", signal: "go", data: { n: 1 } });
    await reaches(store, "asks", "finished");
    await reaches(store, "listens", "finished");
  });

  it("are released together and stay resumable", async () => {
    const { workflow, store } = hosting();
    const first = host(workflow);
    await first.start(workflow, { runId: "run", input: { n: 1 } });
    await reaches(store, "run", "waiting-approval");
    await first.close();
    expect(await store.getRun("run")).toMatchObject({ ownerId: null });
    await expect(first.start(workflow, { input: { n: 0 } })).rejects.toMatchObject({
      code: "CAPACITY_EXCEEDED",
    });
    const second = host(workflow);
    expect(await second.resume(workflow, { runId: "run" })).toMatchObject({ runId: "run", isNew: false });
    await approveNode(workflow, { runId: "run", nodeId: "gate" });
    second.wake(store, "run");
    await reaches(store, "run", "finished");
  });

  it("are the host's own, unless it adopts those that no process drives", async () => {
    const { workflow, store } = hosting();
    const gone = host(workflow);
    await gone.start(workflow, { runId: "left", input: { n: 1 } });
    await reaches(store, "left", "waiting-approval");
    await gone.close();
    await approveNode(workflow, { runId: "left", nodeId: "gate" });
    const reserved = host(workflow);
    await reserved.start(workflow, { runId: "own", input: { n: 1 } });
    await reaches(store, "own", "waiting-approval");
    await approveNode(workflow, { runId: "own", nodeId: "gate" });
    await reaches(store, "own", "finished");
    expect((await store.getRun("left"))?.status).not.toBe("finished");
    const adopting = host(workflow, { adopts: true });
    adopting.supervise(store);
    await reaches(store, "left", "finished");
  });
});
