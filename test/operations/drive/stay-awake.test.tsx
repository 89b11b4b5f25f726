import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, runWorkflow, type ServiceWorkflow } from "../../../src/index.js";
import { stayAwake } from "../../../src/operations/drive/stay-awake.js";
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

  it("leaves it where only somebody can move it", async () => {
    expect(await stay(asking(), { wait: false })).toMatchObject({ status: "waiting-approval" });
  });

  it("waits for somebody when it is told to, and continues it with the answer", async () => {
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

  it("releases it when the signal fires", async () => {
    const stop = new AbortController();
    const staying = stay(asking("1h"), { wait: true }, stop.signal);
    stop.abort();
    expect(await staying).toMatchObject({ status: "waiting-timer" });
  });
});
