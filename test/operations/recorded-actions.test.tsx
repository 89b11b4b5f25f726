import {
  approveNode,
  cancelRun,
  createService,
  forkRun,
  retryTask,
  rewindRun,
  runWorkflow,
  ServiceDb,
  signalRun,
  skipTask,
} from "treadle";
import { expect, it, test } from "vitest";
import { z } from "zod";

/** A run that waits for a decision, a signal and a day; no process drives it. */
async function waiting() {
  const schemas = { step: z.object({ n: z.number() }), decision: z.object({ approved: z.boolean() }) };
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Parallel, Task, Approval, Signal, Timer, outputs } = api;
  const workflow = api.service(() => (
    <Workflow name="waiting">
      <Task id="first" output={outputs.step}>
        {{ n: 1 }}
      </Task>
      <Parallel>
        <Approval id="ok" output="decision" request={{ title: "Continue?" }} />
        <Signal id="paid" schema={outputs.step} />
        <Timer id="later" duration="1d" />
        <Timer id="after" duration="2d" />
      </Parallel>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  const { store } = new ServiceDb(api.db);
  return {
    workflow,
    /** What the log has under the number. */
    recorded: async (runId: string, seq: number | null) =>
      seq === null ? null : (await store.listEvents(runId, { afterSeq: seq - 1, limit: 1 }))[0]?.event.type,
  };
}

const at = { runId: "run", nodeId: "first" };

it("names the event of what it has done by itself", async () => {
  const { workflow, recorded } = await waiting();
  const retried = await retryTask(workflow, at);
  expect(await recorded("run", retried.seq)).toBe("RetryTaskStarted");
  const rewound = await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect(await recorded("run", rewound.seq)).toBe("RunRewound");
  const forked = await forkRun(workflow, { runId: "run", frameNo: 1, newRunId: "fork" });
  expect(await recorded("fork", forked.seq)).toBe("RunForked");
  const cancelled = await cancelRun(workflow, { runId: "run" });
  expect(await recorded("run", cancelled.seq)).toBe("RunCancelled");
});

it("names none where the process that drives the run is to take it up", async () => {
  const { workflow } = await waiting();
  const answers = [
    await approveNode(workflow, { runId: "run", nodeId: "ok" }),
    await signalRun(workflow, { runId: "run", signal: "paid", data: { n: 1 } }),
    await skipTask(workflow, { runId: "run", nodeId: "later" }),
  ];
  expect(answers.map(({ seq }) => seq)).toEqual([null, null, null]);
});

test("a preview and a refusal have written nothing", async () => {
  const { workflow } = await waiting();
  const previews = [
    await retryTask(workflow, { ...at, dryRun: true }),
    await rewindRun(workflow, { runId: "run", frameNo: 1, dryRun: true }),
    await forkRun(workflow, { runId: "run", frameNo: 1, dryRun: true }),
    await retryTask(workflow, { ...at, nodeId: "nothing" }),
  ];
  expect(previews.map(({ seq }) => seq)).toEqual([null, null, null, null]);
});
