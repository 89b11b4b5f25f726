import { expect, it, vi } from "vitest";
import { z } from "zod";
import { approveNode, explainRun, getRun, listApprovals } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ amount: z.number() }),
};

function released<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** An approval of a price that a task beside it finds out, while a third task keeps the run busy. */
function pricing() {
  const scene = openScene(schemas);
  const { Workflow, Parallel, Approval, Task, outputs, service } = scene.api;
  const price = released<number>();
  const busy = released<number>();
  const workflow = service((ctx) => {
    const amount = ctx.outputMaybe("output", { nodeId: "price" })?.amount ?? 10;
    return (
      <Workflow name="pricing">
        <Parallel>
          <Approval id="pay" output={outputs.decision} request={{ title: `Pay ${amount} to Bob?` }} />
          <Task id="price" output={outputs.output}>
            {async () => ({ amount: await price.promise })}
          </Task>
          <Task id="busy" output={outputs.output}>
            {async () => ({ amount: await busy.promise })}
          </Task>
        </Parallel>
      </Workflow>
    );
  });
  return { scene, workflow, price, busy };
}

/** An answer to the first question that reaches the run after the question has changed under one owner. */
async function answeredTooLate() {
  const made = pricing();
  const { scene, workflow, price } = made;
  const driven = scene.drive(workflow);
  const seen = (type: "ApprovalRequested" | "ApprovalRequestChanged" | "DecisionRefused") =>
    vi.waitFor(async () => expect(await scene.events(type)).toHaveLength(1), 100_000);
  await seen("ApprovalRequested");
  const [first] = await listApprovals(workflow);
  price.resolve(1_000_000);
  await seen("ApprovalRequestChanged");
  const requestHash = first?.requestHash ?? "";
  await expect(approveNode(workflow, { runId: "run", nodeId: "pay", requestHash })).rejects.toMatchObject({
    code: "REQUEST_CHANGED",
  });
  // What the operation has sent in the moment before the change.
  const decision = { approved: true, decidedBy: "ada" };
  const shown = { title: "Pay 10 to Bob?" };
  const at = { nodeId: "pay", iteration: 0 };
  await scene.store.submitIntent({
    runId: "run",
    intent: { kind: "approval", ...at, requestHash, shown, decision },
    createdAtMs: scene.time.now(),
  });
  await seen("DecisionRefused");
  return { ...made, driven };
}

const refused = {
  code: "REQUEST_CHANGED",
  approved: true,
  decidedBy: "ada",
  message: expect.stringMatching(/asks "Pay 1000000 to Bob\?".*the decision was on "Pay 10 to Bob\?"/),
  shown: { title: "Pay 10 to Bob?" },
  asked: { title: "Pay 1000000 to Bob?" },
};

it("a decision on what another task's row has changed since is refused, and the explanation says so", async () => {
  const { scene, workflow, busy, driven } = await answeredTooLate();
  expect(await scene.node("pay")).toMatchObject({ state: "waiting-approval" });
  const blocker = {
    kind: "approval",
    nodeId: "pay",
    title: "Pay 1000000 to Bob?",
    refused: [expect.objectContaining(refused)],
  };
  expect((await explainRun(workflow, "run")).blockers).toContainEqual(expect.objectContaining(blocker));
  expect((await getRun(workflow, "run")).blockers).toContainEqual(expect.objectContaining(blocker));
  await listApprovals(workflow);
  await approveNode(workflow, { runId: "run", nodeId: "pay" });
  busy.resolve(1);
  expect(await driven).toMatchObject({ status: "finished" });
  expect((await explainRun(workflow, "run")).blockers).toEqual([]);
});
