import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, listApprovals, runWorkflow, signalRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ ok: z.boolean() }),
};

it("a decided request is not listed as pending, although no process has taken it up", async () => {
  const { Workflow, Parallel, Approval, outputs, service } = openScene(schemas).api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Parallel>
        <Approval id="one" output={outputs.decision} request={{ title: "1?" }} />
        <Approval id="two" output={outputs.decision} request={{ title: "2?" }} />
      </Parallel>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "r", input: {} });
  await approveNode(workflow, { runId: "r", nodeId: "one" });
  expect(await listApprovals(workflow)).toMatchObject([{ nodeId: "two" }]);
  expect(await listApprovals(workflow, { status: "requested" })).toHaveLength(1);
});

it("a decided request is listed as answered until the run takes the decision up", async () => {
  const { Workflow, Approval, outputs, service } = openScene(schemas).api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Approval id="one" output={outputs.decision} request={{ title: "1?" }} />
    </Workflow>
  ));
  const listed = async () => {
    const statuses = ["requested", "answered", "approved", "denied", "withdrawn"] as const;
    const lists = await Promise.all(statuses.map((status) => listApprovals(workflow, { status })));
    return statuses.filter((_, index) => lists[index]?.length === 1);
  };
  await runWorkflow(workflow, { runId: "r", input: {} });
  expect(await listed()).toEqual(["requested"]);
  await approveNode(workflow, { runId: "r", nodeId: "one" });
  expect(await listed()).toEqual(["answered"]);
  await runWorkflow(workflow, { runId: "r", resume: true });
  expect(await listed()).toEqual(["approved"]);
});

it("a signal that only a child run waits for is kept, and the sender learns which run that is", async () => {
  const { Workflow, Signal, Subflow, outputs, service } = openScene(schemas).api;
  const child = service(() => (
    <Workflow name="child">
      <Signal id="paid" schema={outputs.output} />
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} />
    </Workflow>
  ));
  await runWorkflow(parent, { runId: "r", input: {} });
  const sent = await signalRun(parent, { runId: "r", signal: "paid", data: { ok: true } });
  expect(sent.awaitedBy).toEqual(["r:sub:0"]);
  expect(sent.remedies).toEqual([{ action: "signal", runId: "r:sub:0", signal: "paid" }]);
  const own = await signalRun(parent, { runId: "r:sub:0", signal: "paid", data: { ok: true } });
  expect(own).not.toHaveProperty("awaitedBy");
  expect([sent, own].map(({ isEarly }) => isEarly)).toEqual([undefined, undefined]);
  const other = { runId: "r:sub:0", signal: "paid", correlationId: "order-7", data: { ok: true } };
  expect(await signalRun(parent, other)).toMatchObject({ isEarly: true });
});
