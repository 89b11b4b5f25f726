import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, explainRun, listApprovals, retryTask, runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  row: z.object({ n: z.number() }),
  output: z.object({ ok: z.boolean() }),
};

const world = { isAsked: true };
beforeEach(() => {
  world.isAsked = true;
});

/** A step, an approval, a person and a gated task after it; the switch skips all three. */
function open() {
  const { Workflow, Task, Sequence, Parallel, Approval, HumanTask, outputs, service } =
    openScene(schemas).api;
  return service(() => (
    <Workflow name="asking">
      <Sequence>
        <Task id="first" output={outputs.row}>
          {{ n: 1 }}
        </Task>
        <Parallel skipIf={!world.isAsked}>
          <Approval id="ask" output={outputs.decision} request={{ title: "Go?" }} />
          <HumanTask id="person" output={outputs.row} prompt="How many?" />
          <Task id="gated" output={outputs.output} needsApproval>
            {{ ok: true }}
          </Task>
        </Parallel>
      </Sequence>
    </Workflow>
  ));
}

const ALL = ["ask", "gated", "person"];
const resume = (workflow: ReturnType<typeof open>) => runWorkflow(workflow, { runId: "r", resume: true });
const pending = async (workflow: ReturnType<typeof open>) =>
  (await listApprovals(workflow, { runId: "r" })).map(({ nodeId }) => nodeId).sort();

it("requests of nodes that are reset are not pending until the nodes ask anew", async () => {
  const workflow = open();
  expect((await runWorkflow(workflow, { runId: "r", input: {} })).status).toBe("waiting-approval");
  expect(await pending(workflow)).toEqual(ALL);
  const { resetNodes } = await retryTask(workflow, { runId: "r", nodeId: "first" });
  expect(resetNodes).toHaveLength(4);
  expect(await pending(workflow)).toEqual([]);
  expect((await explainRun(workflow, "r")).blockers).not.toContainEqual(
    expect.objectContaining({ kind: "approval" }),
  );
  await expect(approveNode(workflow, { runId: "r", nodeId: "ask" })).rejects.toHaveProperty("code");
  expect((await resume(workflow)).status).toBe("waiting-approval");
  expect(await pending(workflow)).toEqual(ALL);
});

it("what was decided before is asked anew", async () => {
  const workflow = open();
  await runWorkflow(workflow, { runId: "r", input: {} });
  await approveNode(workflow, { runId: "r", nodeId: "ask" });
  await resume(workflow);
  expect(await pending(workflow)).toEqual(["gated", "person"]);
  await retryTask(workflow, { runId: "r", nodeId: "first" });
  expect(await pending(workflow)).toEqual([]);
  await resume(workflow);
  expect(await pending(workflow)).toEqual(ALL);
});

it("a retry after which the nodes are skipped leaves no request", async () => {
  const workflow = open();
  await runWorkflow(workflow, { runId: "r", input: {} });
  await retryTask(workflow, { runId: "r", nodeId: "first" });
  world.isAsked = false;
  expect((await resume(workflow)).status).toBe("finished");
  expect(await pending(workflow)).toEqual([]);
});

it("a retry of a subflow withdraws what its child asked", async () => {
  const { Workflow, Sequence, Task, Approval, Subflow, outputs, service } = openScene(schemas).api;
  const child = service(() => (
    <Workflow name="child">
      <Approval id="inner" output={outputs.decision} request={{ title: "Inside?" }} />
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Sequence>
        <Task id="first" output={outputs.row}>
          {{ n: 1 }}
        </Task>
        <Subflow id="sub" workflow={child} output={outputs.output} />
      </Sequence>
    </Workflow>
  ));
  await runWorkflow(parent, { runId: "r", input: {} });
  expect(await listApprovals(parent)).toMatchObject([{ runId: "r:sub:0", nodeId: "inner" }]);
  await retryTask(parent, { runId: "r", nodeId: "first" });
  expect(await listApprovals(parent)).toEqual([]);
});
