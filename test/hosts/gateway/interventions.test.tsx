import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../../src/index.js";
import { bearer, openGateway } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";

const tokens = {
  ada: { role: "lead", scopes: ["*"], userId: "ada" },
  bob: { role: "dev", scopes: ["run:write"], userId: "bob" },
};

/** A run whose first task has failed, at a gateway that lets ada and bob in. */
async function failed() {
  const gateway = await openGateway(
    (gateway, folder) => {
      const { Workflow, Sequence, Task, service, outputs } = createService(
        { made: z.object({ n: z.number() }), output: z.object({ n: z.number() }) },
        { dbPath: join(folder, "service.db") },
      );
      const workflow = service((ctx) => (
        <Workflow name="broken">
          <Sequence>
            <Task id="make" output={outputs.made} noRetry>
              {() => {
                throw new Error("broken");
              }}
            </Task>
            <Task id="end" output={outputs.output}>
              {() => ({ n: (ctx.outputMaybe("made", { nodeId: "make" })?.n ?? 0) + 1 })}
            </Task>
          </Sequence>
        </Workflow>
      ));
      gateway.register("broken", workflow).register("ask", asking(folder));
    },
    { auth: { mode: "token", tokens } },
  );
  await gateway.call("launchRun", { workflow: "broken", runId: "run" }, bearer("ada"));
  await gateway.until("run", "failed", bearer("ada"));
  const end = async () => {
    await gateway.until("run", "finished", bearer("ada"));
    return (await gateway.call("getNode", { runId: "run", nodeId: "end" }, bearer("ada"))).output;
  };
  return { ...gateway, end, at: { runId: "run", nodeId: "make" } };
}

describe("a task that failed with its run", () => {
  it("is completed in the caller's name, and the gateway continues the run", async () => {
    const { call, rpc, end, at } = await failed();
    const complete = { ...at, output: { n: 40 }, note: "by phone" };
    expect(await rpc("completeTask", { ...complete, output: { n: "x" } }, bearer("bob"))).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", details: { issues: [expect.stringContaining("n: ")] } } },
    });
    expect(await rpc("completeTask", { ...complete, completedBy: "ada" }, bearer("bob"))).toMatchObject({
      status: 403,
    });
    expect(await call("completeTask", { ...complete, dryRun: true }, bearer("bob"))).toMatchObject({
      needsResume: true,
    });
    expect(await call("completeTask", complete, bearer("bob"))).toEqual({
      ...{ ...at, iteration: 0, action: "complete", needsResume: false, seq: null, completedBy: "bob" },
    });
    expect(await end()).toMatchObject({ n: 41 });
    const { events } = await call(
      "listEvents",
      { runId: "run", types: ["NodeCompletedByHand"] },
      bearer("ada"),
    );
    expect(events).toMatchObject([{ event: { completedBy: "bob", note: "by phone" } }]);
    expect(await rpc("completeTask", complete, bearer("bob"))).toMatchObject({
      status: 409,
      body: { error: { code: "RUN_NOT_ACTIVE" } },
    });
  });

  it("is skipped, and the gateway continues the run", async () => {
    const { call, end, at } = await failed();
    expect(await call("skipTask", at, bearer("bob"))).toMatchObject({ action: "skip", skippedBy: "bob" });
    expect(await end()).toMatchObject({ n: 1 });
  });

  it("tells the form of its row", async () => {
    const { call, at } = await failed();
    expect(await call("inspectTask", { ...at, iteration: 0 }, bearer("ada"))).toMatchObject({
      answerSchema: { type: "object", properties: { n: { type: "number" } } },
    });
  });
});

it("a task that waits is completed while the gateway drives its run", async () => {
  const { call, rpc, until } = await openGateway((gateway, folder) =>
    gateway.register("ask", asking(folder)),
  );
  await call("launchRun", { workflow: "ask", runId: "run" });
  await until("run", "waiting-approval");
  const gate = { runId: "run", nodeId: "gate", output: { approved: true } };
  expect(await rpc("completeTask", gate)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("approve or deny") } },
  });
  await call("submitApproval", { runId: "run", nodeId: "gate", approved: true });
  await until("run", "waiting-event");
  // What it has not come to has no schema of its own in the database; the gateway knows the workflow.
  expect(await call("inspectTask", { runId: "run", nodeId: "end", iteration: 0 })).toMatchObject({
    answerSchema: { properties: { n: { type: "number" } } },
  });
  await call("completeTask", { runId: "run", nodeId: "go", output: { n: 7 } });
  await until("run", "finished");
  expect(await call("getNode", { runId: "run", nodeId: "end" })).toMatchObject({ output: { n: 7 } });
});

describe("pruneRuns", () => {
  it("deletes runs by their ids in every database of the gateway, after it has said which", async () => {
    const { call, rpc } = await openGateway((gateway, folder) =>
      gateway
        .register("one", doubling(folder, { name: "one", db: "one.db" }))
        .register("two", doubling(folder, { name: "two", db: "two.db" })),
    );
    for (const key of ["one", "two"]) {
      await call("launchRun", { workflow: key, runId: key, input: { n: 1 } });
      await expect.poll(async () => (await call("getRun", { runId: key })).status).toBe("finished");
    }
    const runIds = ["two", "nobody", "one"];
    const told = { runIds: ["one", "two"], kept: [{ runId: "nobody", code: "RUN_NOT_FOUND" }] };
    const preview = await call<{ runIds: string[] }>("pruneRuns", { runIds, dryRun: true });
    expect({ ...preview, runIds: preview.runIds.toSorted() }).toMatchObject(told);
    expect((await call<{ runs: unknown[] }>("listRuns")).runs).toHaveLength(2);
    const { runIds: deleted } = await call<{ runIds: string[] }>("pruneRuns", { runIds });
    expect(deleted.toSorted()).toEqual(told.runIds);
    expect((await call<{ runs: unknown[] }>("listRuns")).runs).toEqual([]);
    expect(await rpc("pruneRuns", { runIds, limit: 1 })).toMatchObject({ status: 400 });
  });

  it("deletes what was chosen, in all databases together no more than the limit", async () => {
    const { call } = await openGateway((gateway, folder) =>
      gateway
        .register("one", doubling(folder, { name: "one", db: "one.db" }))
        .register("two", doubling(folder, { name: "two", db: "two.db" })),
    );
    for (const key of ["one", "two"]) {
      await call("launchRun", { workflow: key, runId: key, input: { n: 1 } });
      await expect.poll(async () => (await call("getRun", { runId: key })).status).toBe("finished");
    }
    const old = (request: object) =>
      call<{ runIds: string[] }>("pruneRuns", { olderThanMs: 0, dryRun: true, ...request });
    await expect.poll(async () => (await old({})).runIds).toHaveLength(2);
    expect((await old({ limit: 1 })).runIds).toHaveLength(1);
    expect((await old({ workflowName: "two" })).runIds).toEqual(["two"]);
    expect((await old({ statuses: ["failed"] })).runIds).toEqual([]);
  });
});
