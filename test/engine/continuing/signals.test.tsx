import { approvalDecision, approveNode, createService, runWorkflow, signalRun } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

function open() {
  return createService(
    { input: z.object({}), decision: approvalDecision, row: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
}

it("signals that a run has not taken are there for the run that continues it, in order", async () => {
  const { Workflow, Loop, Sequence, Signal, Task, service, outputs } = open();
  const handled: number[] = [];
  const workflow = service(() => (
    <Workflow name="actor">
      <Loop id="rounds" maxIterations={5} continueAsNewEvery={2}>
        <Sequence>
          <Signal id="message" schema={outputs.row}>
            {({ n }) => (
              <Task id="handle" output={outputs.row}>
                {() => {
                  handled.push(n);
                  return { n };
                }}
              </Task>
            )}
          </Signal>
        </Sequence>
      </Loop>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  for (const n of [0, 1, 2, 3, 4])
    await signalRun(workflow, { runId: "run", signal: "message", data: { n } });
  const result = await runWorkflow(workflow, { runId: "run", resume: true });
  expect(result.status).toBe("finished");
  expect(handled).toEqual([0, 1, 2, 3, 4]);
});

it("an early signal waits for a run that another process continues", async () => {
  const { Workflow, Sequence, Approval, Branch, ContinueAsNew, Signal, service, outputs } = open();
  const workflow = service((ctx) => (
    <Workflow name="early">
      <Sequence>
        <Approval id="ask" output={outputs.decision} request={{ title: "Continue?" }} />
        <Branch
          if={ctx.continuation === undefined}
          then={<ContinueAsNew state={{ page: 2 }} />}
          else={<Signal id="news" schema={outputs.row} />}
        />
      </Sequence>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  await signalRun(workflow, { runId: "run", signal: "news", data: { n: 7 } });
  await approveNode(workflow, { runId: "run", nodeId: "ask" });
  const first = await runWorkflow(workflow, { runId: "run", resume: true, followContinuation: false });
  const runId = first.nextRunId as string;
  await runWorkflow(workflow, { runId, resume: true });
  await approveNode(workflow, { runId, nodeId: "ask" });
  expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
});
