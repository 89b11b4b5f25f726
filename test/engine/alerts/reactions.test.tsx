import { join } from "node:path";
import type { ReactNode } from "react";
import {
  type AlertReaction,
  approveNode,
  cancelRun,
  createService,
  denyNode,
  explainRun,
  getRun,
  listApprovals,
  runWorkflow,
  ServiceDb,
} from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findDueRuns } from "../../../src/operations/supervise/due-runs.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const schemas = { note: z.object({ text: z.string() }) };

function watchedBy(kind: Exclude<AlertReaction["kind"], "deliver">, rule = "task-retrying") {
  const dbPath = join(temporaryFolder("alerts"), "service.db");
  const { Workflow, Sequence, Parallel, Task, service, outputs } = createService(schemas, { dbPath });
  const flaky = { isBroken: true, starts: [] as string[] };
  const note = (id: string, wait = 0): ReactNode => (
    <Task id={id} output={outputs.note}>
      {async () => {
        flaky.starts.push(id);
        for (let turn = 0; turn < wait; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        if (id === "flaky" && flaky.isBroken) throw new Error("boom");
        return { text: id };
      }}
    </Task>
  );
  const workflow = service(
    () => (
      <Workflow name="reactions">
        <Parallel>
          <Sequence>
            {note("flaky")}
            {note("after-flaky")}
          </Sequence>
          <Sequence>
            {note("slow", 20)}
            {note("after-slow")}
          </Sequence>
        </Parallel>
      </Workflow>
    ),
    { alertPolicy: { rules: { [rule]: { reaction: kind } } } },
  );
  return { workflow, flaky };
}

const nodeStates = async (workflow: ReturnType<typeof watchedBy>["workflow"], runId: string) =>
  Object.fromEntries(
    (await new ServiceDb(workflow.db).store.listNodes(runId)).map(({ nodeId, state }) => [nodeId, state]),
  );

describe("the reaction cancel", () => {
  it("cancels the run and says which alert it was", async () => {
    const { workflow } = watchedBy("cancel");
    const { runId, status } = await runWorkflow(workflow, {});
    expect(status).toBe("cancelled");
    const [event] = await new ServiceDb(workflow.db).store.listEvents(runId, {
      types: ["RunCancelled"],
      limit: 9,
    });
    expect(event?.event).toMatchObject({ reason: expect.stringContaining("task-retrying") });
  });
});

describe("the reaction pause", () => {
  it("lets what runs end, starts nothing new, and leaves the run waiting", async () => {
    const { workflow, flaky } = watchedBy("pause");
    const { runId, status } = await runWorkflow(workflow, {});
    expect(status).toBe("waiting-event");
    expect(flaky.starts.toSorted()).toEqual(["flaky", "slow"]);
    expect(await nodeStates(workflow, runId)).toEqual({
      flaky: "pending",
      "after-flaky": "pending",
      slow: "finished",
      "after-slow": "pending",
    });
    expect((await getRun(workflow, runId)).paused?.reason).toBe("task-retrying fired for task flaky");
  });

  it("is named by explainRun together with the command that ends it", async () => {
    const { workflow } = watchedBy("pause");
    const { runId } = await runWorkflow(workflow, {});
    expect((await explainRun(workflow, runId)).blockers).toContainEqual(
      expect.objectContaining({
        kind: "paused",
        remedy: { action: "resume", runId, needsWorkflow: true },
      }),
    );
  });

  it("is not ended by a supervisor, however long the run is overdue", async () => {
    const { workflow } = watchedBy("pause");
    await runWorkflow(workflow, {});
    expect(await findDueRuns(new ServiceDb(workflow.db).store, Date.now() + 86_400_000)).toEqual([]);
  });

  it("ends when a person resumes the run, which then continues where it stood", async () => {
    const { workflow, flaky } = watchedBy("pause");
    const { runId } = await runWorkflow(workflow, {});
    flaky.isBroken = false;
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
    expect(flaky.starts.toSorted()).toEqual(["after-flaky", "after-slow", "flaky", "flaky", "slow"]);
    expect((await getRun(workflow, runId)).paused).toBeNull();
  });

  it("does not keep a run from being cancelled", async () => {
    const { workflow } = watchedBy("pause");
    const { runId } = await runWorkflow(workflow, {});
    await cancelRun(workflow, { runId });
    const run = await getRun(workflow, runId);
    expect([run.status, run.paused]).toEqual(["cancelled", null]);
  });
});

describe("the reaction open-approval", () => {
  it("asks whether the run may continue, and starts nothing before the answer", async () => {
    const { workflow, flaky } = watchedBy("open-approval");
    const { runId, status } = await runWorkflow(workflow, {});
    expect(status).toBe("waiting-approval");
    expect(flaky.starts.toSorted()).toEqual(["flaky", "slow"]);
    const [request, ...others] = await listApprovals(workflow);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      nodeId: "alert:task-retrying:flaky",
      request: { title: expect.any(String) },
    });
    expect((await explainRun(workflow, runId)).blockers).toContainEqual(
      expect.objectContaining({
        kind: "approval",
        remedy: expect.objectContaining({ action: "approve", runId, nodeId: "alert:task-retrying:flaky" }),
      }),
    );
  });

  it("still asks when the run is resumed without an answer", async () => {
    const { workflow, flaky } = watchedBy("open-approval");
    const { runId } = await runWorkflow(workflow, {});
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("waiting-approval");
    expect(flaky.starts).toHaveLength(2);
  });

  it("continues once it was approved, also when no process drove the run by then", async () => {
    const { workflow, flaky } = watchedBy("open-approval");
    const { runId } = await runWorkflow(workflow, {});
    flaky.isBroken = false;
    await approveNode(workflow, { runId, nodeId: "alert:task-retrying:flaky", decidedBy: "ada" });
    const due = await findDueRuns(new ServiceDb(workflow.db).store, Date.now());
    expect(due.map(({ reason }) => reason)).toEqual(["answered"]);
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
    const [row] = await listApprovals(workflow, { runId, status: "approved" });
    expect(row?.decision?.decidedBy).toBe("ada");
  });

  it("cancels the run when it was denied", async () => {
    const { workflow } = watchedBy("open-approval");
    const { runId } = await runWorkflow(workflow, {});
    await denyNode(workflow, { runId, nodeId: "alert:task-retrying:flaky", note: "too risky" });
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("cancelled");
  });

  it("takes one answer only", async () => {
    const { workflow } = watchedBy("open-approval");
    const { runId } = await runWorkflow(workflow, {});
    const decision = { runId, nodeId: "alert:task-retrying:flaky" };
    await approveNode(workflow, decision);
    await expect(approveNode(workflow, decision)).rejects.toMatchObject({ code: "ALREADY_DECIDED" });
  });

  it("withdraws its request when the run ends in another way", async () => {
    const { workflow } = watchedBy("open-approval");
    const { runId } = await runWorkflow(workflow, {});
    await cancelRun(workflow, { runId });
    expect(await listApprovals(workflow)).toEqual([]);
    await expect(approveNode(workflow, { runId, nodeId: "alert:task-retrying:flaky" })).rejects.toMatchObject(
      { code: "RUN_NOT_ACTIVE" },
    );
  });

  it("holds back the end of a run that has nothing left to start", async () => {
    const { Workflow, Task, service, outputs } = createService(schemas, { dbPath: ":memory:" });
    const test = testWorkflow(
      service(
        () => (
          <Workflow name="short">
            <Task id="only" output={outputs.note}>
              {{ text: "done" }}
            </Task>
          </Workflow>
        ),
        { alertPolicy: { rules: { "run-running": { reaction: "open-approval" } } } },
      ),
    );
    expect((await test.run()).status).toBe("waiting-approval");
    expect((await test.approve("alert:run-running")).status).toBe("finished");
  });

  it("may be about the run itself: nothing starts before it is approved", async () => {
    const { workflow, flaky } = watchedBy("open-approval", "run-running");
    flaky.isBroken = false;
    const test = testWorkflow(workflow);
    expect((await test.run()).status).toBe("waiting-approval");
    expect(flaky.starts).toEqual([]);
    expect((await test.approve("alert:run-running")).status).toBe("finished");
    expect(flaky.starts).toHaveLength(4);
  });
});
