import { createService, getRun, runWorkflow, signalRun } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { globalTaskId } from "../../../src/model/address.js";

it("a child run that still waits ends with the run that continues, and the next run has its own", async () => {
  const { Workflow, Task, Loop, Parallel, Subflow, Signal, outputs, service } = createService(
    { input: z.object({}), row: z.object({ n: z.number() }), output: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const child = service(() => (
    <Workflow name="child">
      <Signal id="answer" schema={outputs.output} />
    </Workflow>
  ));
  const workflow = service(() => (
    <Workflow name="parent">
      <Parallel>
        <Subflow id="ask" workflow={child} output={outputs.row} />
        <Loop id="rounds" maxIterations={2} continueAsNewEvery={1}>
          <Task id="round" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Loop>
      </Parallel>
    </Workflow>
  ));
  const { runId, status } = await runWorkflow(workflow, { runId: "run", input: {} });
  expect(status).toBe("waiting-event");
  const [first, second] = ["run", runId].map((id) =>
    globalTaskId({ runId: id, nodeId: "ask", iteration: 0 }),
  );
  expect(await getRun(workflow, first as string)).toMatchObject({ status: "cancelled" });
  expect(await getRun(workflow, second as string)).toMatchObject({ status: "waiting-event" });

  await signalRun(child, { runId: second as string, signal: "answer", data: { n: 1 } });
  expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
});
