import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, denyNode, explainRun, rewindRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ amount: z.number() }),
};

/** A run that has asked whether to pay. */
async function asking() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Approval, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="paying">
      <Sequence>
        <Task id="price" output={outputs.output}>
          {() => ({ amount: 10 })}
        </Task>
        <Approval id="pay" output={outputs.decision} request={{ title: "Pay 10 to Bob?" }} />
      </Sequence>
    </Workflow>
  ));
  expect(await scene.drive(workflow)).toMatchObject({ status: "waiting-approval" });
  return { scene, workflow };
}

it("a decision that is kept when the run is rewound is refused in the log, and the question asked again says so", async () => {
  const { scene, workflow } = await asking();
  await approveNode(workflow, { runId: "run", nodeId: "pay", decidedBy: "ada", note: "fine" });
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect(await scene.resume(workflow)).toMatchObject({ status: "waiting-approval" });
  const refusal = { code: "NODE_NOT_WAITING", approved: true, decidedBy: "ada" };
  const events = await scene.events("DecisionRefused");
  expect(events).toMatchObject([{ ...refusal, nodeId: "pay", note: "fine" }]);
  expect(events[0]).not.toHaveProperty("asked");
  expect((await explainRun(workflow, "run")).blockers).toMatchObject([{ nodeId: "pay", refused: [refusal] }]);
  await approveNode(workflow, { runId: "run", nodeId: "pay" });
  expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
});

it("a second decision that reaches the run after the first one is refused in the log, and changes nothing", async () => {
  const { scene, workflow } = await asking();
  await denyNode(workflow, { runId: "run", nodeId: "pay", decidedBy: "ada" });
  // What another process has sent in the same moment.
  const [asked] = await scene.store.listApprovals({ runId: "run", limit: 1 });
  const requestHash = asked?.requestHash ?? "";
  const decision = { approved: true, decidedBy: "bob" };
  const intent = { kind: "approval", nodeId: "pay", iteration: 0, requestHash, decision } as const;
  await scene.store.submitIntent({ runId: "run", intent, createdAtMs: scene.time.now() });
  expect(await scene.resume(workflow)).toMatchObject({ status: "failed" });
  expect(await scene.events("DecisionRefused")).toMatchObject([
    { code: "ALREADY_DECIDED", decidedBy: "bob", message: expect.stringContaining("denied by ada already") },
  ]);
  expect(await scene.events("ApprovalGranted")).toEqual([]);
});
