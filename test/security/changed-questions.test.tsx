import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approveNode,
  type DecisionRequest,
  HumanTask,
  listApprovals,
  type ServiceApi,
  ServiceError,
} from "../../src/index.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  selection: z.object({ selected: z.string(), notes: z.string().nullable() }),
  ranking: z.object({ ranked: z.array(z.string()), notes: z.string().nullable() }),
  answer: z.object({ iban: z.string() }),
  output: z.object({ paid: z.number() }),
};

type Answer = Omit<DecisionRequest, "runId" | "nodeId">;

interface Asking {
  ask(api: ServiceApi<typeof schemas>, amount: number): ReactElement;
  answer: Answer;
}

const options = [
  { key: "a", label: "A" },
  { key: "b", label: "B" },
];

/** Every way to ask a person something that a payment hangs on. */
const ASKING: Record<string, Asking> = {
  "a decision by its title": {
    ask: ({ Approval, outputs }, amount) => (
      <Approval id="ask" output={outputs.decision} request={{ title: `Pay ${amount} to Bob?` }} />
    ),
    answer: {},
  },
  "a decision by its metadata": {
    ask: ({ Approval, outputs }, amount) => (
      <Approval id="ask" output={outputs.decision} request={{ title: "Pay Bob?", metadata: { amount } }} />
    ),
    answer: {},
  },
  "a selection by its options": {
    ask: ({ Approval, outputs }, amount) => (
      <Approval
        id="ask"
        mode="select"
        output={outputs.selection}
        request={{ title: "How?" }}
        options={[
          { key: "a", label: `${amount} to Bob` },
          { key: "b", label: "B" },
        ]}
      />
    ),
    answer: { selected: "a" },
  },
  "a ranking by its summary": {
    ask: ({ Approval, outputs }, amount) => (
      <Approval
        id="ask"
        mode="rank"
        output={outputs.ranking}
        request={{ title: "In which order?", summary: `${amount} to the first` }}
        options={options}
      />
    ),
    answer: { ranked: ["b", "a"] },
  },
  "a human task by its prompt": {
    ask: ({ outputs }, amount) => (
      <HumanTask id="ask" output={outputs.answer} prompt={`Where do the ${amount} go?`} />
    ),
    answer: { data: { iban: "BOB" } },
  },
  "a gate by its label": {
    ask: ({ Task, outputs }, amount) => (
      <Task id="ask" needsApproval label={`Pay ${amount} to Bob?`} output={outputs.output}>
        {{ paid: amount }}
      </Task>
    ),
    answer: {},
  },
  "a decision by who may make it": {
    ask: ({ Approval, outputs }, amount) => (
      <Approval
        id="ask"
        output={outputs.decision}
        request={{ title: "Pay Bob?" }}
        allowedUsers={[amount > 10 ? "boss" : "clerk"]}
      />
    ),
    answer: { decidedBy: "clerk" },
  },
};

/** A payment whose amount can be changed from outside of the tree. */
function paying(asking: Asking) {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Task, outputs, service } = scene.api;
  const order = { amount: 10 };
  const workflow = service(() => (
    <Workflow name="paying">
      <Sequence>
        {asking.ask(scene.api, order.amount)}
        <Task id="pay" output={outputs.output}>
          {() => ({ paid: order.amount })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { scene, workflow, order };
}

describe.each(Object.entries(ASKING))("%s", (name, asking) => {
  const narrows = name.endsWith("who may make it");
  const request = { runId: "run", nodeId: "ask", ...asking.answer };

  it("is asked again when it changes after it was decided and before that is taken up", async () => {
    const { scene, workflow, order } = paying(asking);
    await scene.drive(workflow);
    await approveNode(workflow, request);
    order.amount = 1_000_000;
    const resumed = await scene.resume(workflow, { acceptWorkflowChange: true });
    expect(resumed).toMatchObject({ status: "waiting-approval" });
    expect(await scene.node("pay")).toMatchObject({ state: "pending", lastAttempt: 0 });
    expect(await scene.events("DecisionRefused")).toMatchObject([
      { nodeId: "ask", code: "REQUEST_CHANGED", approved: true },
    ]);
    await approveNode(workflow, { ...request, ...(narrows && { decidedBy: "boss" }) });
    expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
  });

  it("takes no decision of a person who was shown another question", async () => {
    const { scene, workflow, order } = paying(asking);
    await scene.drive(workflow);
    const [shown] = await listApprovals(workflow);
    order.amount = 1_000_000;
    await scene.resume(workflow, { acceptWorkflowChange: true });
    const { requestHash = "" } = shown ?? {};
    await expect(approveNode(workflow, { ...request, requestHash })).rejects.toMatchObject({
      code: "REQUEST_CHANGED",
      details: { shown: shown?.request, requestHash: expect.not.stringContaining(requestHash) },
    });
    expect(await scene.store.pendingIntents("run")).toEqual([]);
  });

  it("takes no decision that does not say what it is about, after something else was listed", async () => {
    const { scene, workflow, order } = paying(asking);
    await scene.drive(workflow);
    const [shown] = await listApprovals(workflow);
    order.amount = 1_000_000;
    await scene.resume(workflow, { acceptWorkflowChange: true });
    const decide = () => approveNode(workflow, { ...request, ...(narrows && { decidedBy: "boss" }) });
    await expect(decide()).rejects.toMatchObject({
      code: "REQUEST_CHANGED",
      details: { shown: shown?.request, requestHash: expect.not.stringContaining(shown?.requestHash ?? "") },
    });
    expect(await scene.store.pendingIntents("run")).toEqual([]);
    // Looked at again, it may be decided.
    await listApprovals(workflow);
    expect(await decide()).toMatchObject({ approved: true });
  });

  it("is decided by a person who was shown the present question", async () => {
    const { scene, workflow } = paying(asking);
    await scene.drive(workflow);
    const [shown] = await listApprovals(workflow);
    await approveNode(workflow, { ...request, requestHash: shown?.requestHash ?? "" });
    expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
  });
});

describe("a decision that reaches the run by another way than the operation", () => {
  it("must answer the question, and be made by a person who may", async () => {
    const { scene, workflow } = paying(ASKING["a decision by who may make it"] as Asking);
    await scene.drive(workflow);
    const [shown] = await listApprovals(workflow);
    const about = { kind: "approval", nodeId: "ask", iteration: 0 } as const;
    const clerk = { approved: true, decidedBy: "clerk" };
    const { requestHash = "" } = shown ?? {};
    for (const intent of [
      { ...about, requestHash: "", decision: clerk },
      { ...about, requestHash, decision: { approved: true, decidedBy: "agent" } },
    ]) {
      await scene.store.submitIntent({ runId: "run", intent, createdAtMs: scene.time.now() });
    }
    expect(await scene.resume(workflow)).toMatchObject({ status: "waiting-approval" });
    expect((await scene.events("DecisionRefused")).map(({ code }) => code)).toEqual([
      "REQUEST_CHANGED",
      "FORBIDDEN",
    ]);
  });

  it("must answer what an alert asks", async () => {
    const scene = openScene(schemas, {
      alertPolicy: { rules: { "run-running": { reaction: "open-approval" } } },
    });
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="watched">
        <Task id="pay" output={outputs.output}>
          {() => ({ paid: 1 })}
        </Task>
      </Workflow>
    ));
    await scene.drive(workflow);
    const [asked] = await listApprovals(workflow);
    const at = { nodeId: asked?.nodeId ?? "", iteration: 0 };
    const decision = { approved: true, decidedBy: "x" };
    const intent = { kind: "approval", ...at, requestHash: "0", decision } as const;
    await scene.store.submitIntent({ runId: "run", intent, createdAtMs: scene.time.now() });
    expect(await scene.resume(workflow)).toMatchObject({ status: "waiting-approval" });
    expect(await scene.events("DecisionRefused")).toMatchObject([{ ...at, code: "REQUEST_CHANGED" }]);
    await approveNode(workflow, { runId: "run", ...at });
    expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
  });
});

describe("a decision that was taken up, and whose row was not written yet", () => {
  it("does not answer what the node asks by then", async () => {
    const { scene, workflow, order } = paying(ASKING["a decision by its title"] as Asking);
    await scene.drive(workflow);
    await approveNode(workflow, { runId: "run", nodeId: "ask" });
    // A process that takes the decision up and dies before anything else.
    const crash = (point: string) => {
      if (point === "after-commit") throw new ServiceError("INTERNAL_ERROR", "It died.");
    };
    const dying = runWith({ ...scene.services, crash }, workflow, { runId: "run", resume: true });
    await expect(dying).rejects.toThrow("It died.");
    expect(await scene.events("ApprovalGranted")).toHaveLength(1);
    order.amount = 1_000_000;
    expect(await scene.resume(workflow, { force: true })).toMatchObject({ status: "waiting-approval" });
    expect(await scene.node("pay")).toMatchObject({ state: "pending", lastAttempt: 0 });
  });
});
