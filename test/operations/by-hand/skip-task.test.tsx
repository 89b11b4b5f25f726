import {
  approvalDecision,
  approveNode,
  completeTask,
  createService,
  getNode,
  getRun,
  runWorkflow,
  skipTask,
} from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { openBlocks } from "../../support/engine/blocks.js";

it("a task that failed with its run is left out, and the run goes on without it", async () => {
  const { workflowOf, task, broken, ran } = openBlocks();
  const workflow = workflowOf(task("weak"));
  broken.add("weak");
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("failed");
  const left = await skipTask(workflow, {
    runId: "run",
    nodeId: "weak",
    skippedBy: "ada",
    note: "not today",
  });
  expect(left).toMatchObject({ nodeId: "weak", iteration: 0, action: "skip", needsResume: true });
  expect(await runWorkflow(workflow, { runId: "run", resume: true })).toMatchObject({ status: "finished" });
  expect(ran).toEqual(["before", "weak", "after"]);
  expect((await getNode(workflow, { runId: "run", nodeId: "weak" })).node.state).toBe("skipped");
});

/** A subflow whose child run waits for a person. */
async function family() {
  const api = createService(
    { input: z.object({}), decision: approvalDecision, output: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Subflow, Approval, Task, outputs } = api;
  const child = api.service(() => (
    <Workflow name="child">
      <Sequence>
        <Approval id="ok" output={outputs.decision} request={{ title: "Go?" }} />
        <Task id="end" output={outputs.output}>
          {{ n: 1 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const workflow = api.service(() => (
    <Workflow name="parent">
      <Sequence>
        <Subflow id="sub" workflow={child} output={outputs.output} />
        <Task id="after" output={outputs.output}>
          {{ n: 1 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("waiting-approval");
  const resume = () => runWorkflow(workflow, { runId: "run", resume: true });
  return { workflow, resume, at: { runId: "run", nodeId: "sub" }, child: "run:sub:0" };
}

it("a subflow that waits for its child run is left out, and the child run is cancelled", async () => {
  const { workflow, resume, at, child } = await family();
  await skipTask(workflow, at);
  expect(await resume()).toMatchObject({ status: "finished" });
  expect(await getRun(workflow, child)).toMatchObject({ status: "cancelled" });
});

it("a subflow whose child run is under way gets no row, so that the child run is not forgotten", async () => {
  const { workflow, resume, at, child } = await family();
  await expect(completeTask(workflow, { ...at, output: { n: 2 } })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("cancel that run first"),
  });
  await approveNode(workflow, { runId: child, nodeId: "ok" });
  expect(await resume()).toMatchObject({ status: "finished" });
});
