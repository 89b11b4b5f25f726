import { join } from "node:path";
import {
  approvalDecision,
  approveNode,
  cancelRun,
  createService,
  denyNode,
  getNode,
  getRun,
  retryTask,
  runWorkflow,
  type ServiceWorkflow,
} from "treadle";
import { expect, test } from "vitest";
import { z } from "zod";
import { storeOf } from "../../src/operations/request/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A workflow that waits for a person, on a database of its own. */
function waiting() {
  const folder = temporaryFolder("left");
  const api = createService(
    { decision: approvalDecision, output: z.object({ n: z.number() }) },
    { dbPath: join(folder, "runs.db") },
  );
  const { Workflow, Task, Approval, Sequence, service, outputs } = api;
  const child = service(() => (
    <Workflow name="waiting">
      <Sequence>
        <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        <Task id="end" output={outputs.output}>
          {{ n: 1 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { api, child };
}

/** A parent with a grandchild that waits for a person, next to a decision of its own. */
function family() {
  const { api, child: grandchild } = waiting();
  const { Workflow, Sequence, Parallel, Task, Approval, Subflow, TryCatchFinally, service, outputs } = api;
  const child = service(() => (
    <Workflow name="child">
      <Subflow id="sub" workflow={grandchild} output={outputs.decision} />
    </Workflow>
  ));
  const workflow = service(() => (
    <Workflow name="parent">
      <Sequence>
        <TryCatchFinally
          id="try"
          try={
            <Parallel>
              <Subflow id="sub" workflow={child} output={outputs.decision} />
              <Approval id="gate" output={outputs.decision} request={{ title: "Leave?" }} onDeny="fail" />
            </Parallel>
          }
          catch={
            <Task id="instead" output={outputs.output}>
              {{ n: 1 }}
            </Task>
          }
        />
        <Task id="end" output={outputs.output}>
          {{ n: 2 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { workflow, runs: ["run:sub:0", "run:sub:0:sub:0"] };
}

async function statuses({ workflow, runs }: { workflow: ServiceWorkflow; runs: string[] }) {
  const store = await storeOf(workflow);
  return Promise.all(runs.map(async (runId) => (await store.getRun(runId))?.status));
}

test("child runs that wait are cancelled with the node that waited for them", async () => {
  const scene = family();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  expect(await statuses(scene)).toEqual(["waiting-approval", "waiting-approval"]);
  await denyNode(scene.workflow, { runId: "run", nodeId: "gate" });
  const { status } = await runWorkflow(scene.workflow, { runId: "run", resume: true });
  expect(status).toBe("finished");
  expect(await statuses(scene)).toEqual(["cancelled", "cancelled"]);
  const store = await storeOf(scene.workflow);
  const ends = await store.listEvents("run:sub:0", { limit: 100 });
  expect(ends.at(-1)?.event).toMatchObject({ type: "RunCancelled", reason: "its parent run gave up sub" });
});

test("cancelling a run that no process drives reaches every run below it", async () => {
  const scene = family();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  await cancelRun(scene.workflow, { runId: "run", reason: "enough" });
  expect(await statuses(scene)).toEqual(["cancelled", "cancelled"]);
  expect((await getRun(scene.workflow, "run:sub:0:sub:0")).blockers).toEqual([]);
});

test("a child whose node continues keeps waiting when its sibling is decided", async () => {
  const scene = family();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  await approveNode(scene.workflow, { runId: "run", nodeId: "gate" });
  const { status } = await runWorkflow(scene.workflow, { runId: "run", resume: true });
  expect(status).toBe("waiting-approval");
  expect(await statuses(scene)).toEqual(["waiting-approval", "waiting-approval"]);
});

/** A subflow that is out of the tree from the first decision to the second. */
function comingAndGoing() {
  const { api, child } = waiting();
  const { Workflow, Parallel, Approval, Subflow, service, outputs } = api;
  const workflow = service((ctx) => {
    const first = ctx.outputMaybe("decision", { nodeId: "first" });
    const second = ctx.outputMaybe("decision", { nodeId: "second" });
    return (
      <Workflow name="parent">
        <Parallel>
          {(first === undefined || second?.approved === true) && (
            <Subflow id="sub" workflow={child} output={outputs.output} />
          )}
          <Approval id="first" output={outputs.decision} request={{ title: "Without it?" }} />
          <Approval id="second" output={outputs.decision} request={{ title: "With it?" }} onDeny="continue" />
        </Parallel>
      </Workflow>
    );
  });
  return { workflow, runs: ["run:sub:0"] };
}

async function decide(scene: ReturnType<typeof comingAndGoing>, nodeId: string, runId = "run") {
  await approveNode(scene.workflow, { runId, nodeId });
  return (await runWorkflow(scene.workflow, { runId: "run", resume: true })).status;
}

test("a child whose node is out of the tree for a while is found as it was", async () => {
  const scene = comingAndGoing();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  expect(await decide(scene, "first")).toBe("waiting-approval");
  expect(await statuses(scene)).toEqual(["waiting-approval"]);
  expect(await decide(scene, "second")).toBe("waiting-approval");
  expect(await decide(scene, "ok", "run:sub:0")).toBe("finished");
  expect(await statuses(scene)).toEqual(["finished"]);
});

test("a child whose node has not come back is cancelled with the end of the run", async () => {
  const scene = comingAndGoing();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  await decide(scene, "first");
  await denyNode(scene.workflow, { runId: "run", nodeId: "second" });
  expect((await runWorkflow(scene.workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(await statuses(scene)).toEqual(["cancelled"]);
});

/** A subflow whose failure is tolerated, next to a decision. */
function tolerant() {
  const { api, child } = waiting();
  const { Workflow, Parallel, Approval, Subflow, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="parent">
      <Parallel>
        <Subflow id="sub" workflow={child} output={outputs.output} continueOnFail retries={3} />
        <Approval id="other" output={outputs.decision} request={{ title: "And this?" }} />
      </Parallel>
    </Workflow>
  ));
  return { workflow, runs: ["run:sub:0"] };
}

test("a cancelled child fails its node without a retry; retryTask takes it up again", async () => {
  const scene = tolerant();
  const { workflow } = scene;
  await runWorkflow(workflow, { runId: "run", input: {} });
  await cancelRun(workflow, { runId: "run:sub:0", requestedBy: "ada" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  const { node } = await getNode(workflow, { runId: "run", nodeId: "sub" });
  expect(node).toMatchObject({ state: "failed", error: { code: "RUN_CANCELLED" } });
  expect(await statuses(scene)).toEqual(["cancelled"]);
  await retryTask(workflow, { runId: "run", nodeId: "sub" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(await statuses(scene)).toEqual(["waiting-approval"]);
});

test("a cancelled parent that is resumed takes up the children that were cancelled with it", async () => {
  const scene = tolerant();
  await runWorkflow(scene.workflow, { runId: "run", input: {} });
  await cancelRun(scene.workflow, { runId: "run" });
  expect(await statuses(scene)).toEqual(["cancelled"]);
  const { status } = await runWorkflow(scene.workflow, { runId: "run", resume: true });
  expect(status).toBe("waiting-approval");
  expect(await statuses(scene)).toEqual(["waiting-approval"]);
});
