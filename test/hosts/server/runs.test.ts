import { describe, expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { ServerProcess } from "../support/server-process.js";
import { ASKS } from "../support/workflows.js";

async function serving(options: Record<string, unknown> = {}) {
  const workspace = new Workspace({ "asks.tsx": ASKS });
  const server = await ServerProcess.start(workspace, { rootDir: workspace.folder, ...options });
  const settles = (runId: string, status: string) =>
    expect.poll(async () => (await server.call(`/v1/runs/${runId}`)).body.status).toBe(status);
  return { workspace, server, settles };
}

describe("runs of a server", () => {
  it("begin with 201, are shown, and end with their output", async () => {
    const { server, settles } = await serving();
    const started = await server.call("/v1/runs", {
      body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1 }, config: { maxConcurrency: 2 } },
    });
    expect(started).toMatchObject({ status: 201, body: { runId: "one", status: "running" } });
    await settles("one", "finished");
    expect((await server.call("/v1/runs/one")).body).toMatchObject({
      runId: "one",
      workflowName: "asks",
      runState: "succeeded",
      blockers: [],
      nodes: { finished: 2 },
    });
    expect((await server.call("/v1/runs/one/nodes/sum")).body).toMatchObject({
      node: { nodeId: "sum", state: "finished" },
      attempts: [{ attempt: 1, state: "finished" }],
      output: { total: 2 },
    });
    const frames = (await server.call<{ frames: { frameNo: number }[] }>("/v1/runs/one/frames?limit=1")).body;
    expect(frames.frames).toHaveLength(1);
  });

  it("are started once under one id: 200 for equal input, an error for another", async () => {
    const { server } = await serving();
    const body = { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } };
    const answers = await Promise.all([1, 2, 3].map(() => server.call("/v1/runs", { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const other = { ...body, input: { n: 2 } };
    expect(await server.call("/v1/runs", { body: other })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT" } },
    });
  });

  it("continue when they are approved, denied or signalled", async () => {
    const { server, settles } = await serving();
    const start = (runId: string, ask: string) =>
      server.call("/v1/runs", { body: { workflowPath: "asks.tsx", runId, input: { n: 1, ask } } });
    await Promise.all([start("yes", "person"), start("no", "person"), start("told", "program")]);
    await settles("yes", "waiting-approval");
    await settles("no", "waiting-approval");
    await settles("told", "waiting-event");
    expect(
      await server.call("/v1/runs/yes/nodes/gate/approve", { body: { decidedBy: "ann" } }),
    ).toMatchObject({
      status: 200,
      body: { runId: "yes", nodeId: "gate", approved: true },
    });
    await server.call("/v1/runs/no/nodes/gate/deny", { body: { note: "not today" } });
    await server.call("/v1/runs/told/signals/go", { body: { data: { extra: 40 } } });
    await settles("yes", "finished");
    await settles("no", "failed");
    await settles("told", "finished");
    expect((await server.call("/v1/runs/told/nodes/sum")).body.output).toEqual({ total: 41 });
  });

  it("are decided once, on the question that was shown", async () => {
    const { server, settles } = await serving();
    await server.call("/v1/runs", {
      body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } },
    });
    await settles("one", "waiting-approval");
    const approve = (body: Record<string, unknown>) =>
      server.call("/v1/runs/one/nodes/gate/approve", { body });
    expect(await approve({ requestHash: "another" })).toMatchObject({
      status: 409,
      body: { error: { code: "REQUEST_CHANGED" } },
    });
    expect(await approve({})).toMatchObject({ status: 200 });
    expect(await approve({})).toMatchObject({ status: 409, body: { error: { code: "ALREADY_DECIDED" } } });
  });

  it("can be cancelled, and resumed", async () => {
    const { server, settles } = await serving();
    await server.call("/v1/runs", {
      body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } },
    });
    await settles("one", "waiting-approval");
    expect((await server.call("/v1/runs/one/cancel", { body: { reason: "enough" } })).status).toBe(200);
    await settles("one", "cancelled");
    expect(await server.call("/v1/runs/one/cancel", { body: {} })).toMatchObject({
      status: 409,
      body: { error: { code: "RUN_NOT_ACTIVE" } },
    });
    expect((await server.call("/v1/runs/one/resume", { body: {} })).status).toBe(200);
    await settles("one", "waiting-approval");
  });

  it("of a changed file run its new code", async () => {
    const { workspace, server, settles } = await serving();
    const start = (runId: string) =>
      server.call("/v1/runs", { body: { workflowPath: "asks.tsx", runId, input: { n: 1 } } });
    await start("before");
    await settles("before", "finished");
    workspace.write("asks.tsx", ASKS.replace("?.extra ?? 1", "?.extra ?? 1000"));
    await start("after");
    await settles("after", "finished");
    expect((await server.call("/v1/runs/after/nodes/sum")).body.output).toEqual({ total: 1001 });
  });

  it("of a server that was killed are found in its database and continue with the next one", async () => {
    const { workspace, server, settles } = await serving();
    await server.call("/v1/runs", {
      body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } },
    });
    await settles("one", "waiting-approval");
    await server.kill();
    const next = await ServerProcess.start(workspace, {
      rootDir: workspace.folder,
      dbPath: workspace.path("service.db"),
    });
    const { approvals } = (await next.call<{ approvals: { requestHash: string }[] }>("/v1/approvals")).body;
    expect(approvals).toMatchObject([{ runId: "one", nodeId: "gate" }]);
    await next.call("/v1/runs/one/nodes/gate/approve", { body: { requestHash: approvals[0]?.requestHash } });
    await expect.poll(async () => (await next.call("/v1/runs/one")).body.status).toBe("finished");
    expect((await next.call("/v1/runs?status=finished&workflow=asks")).body).toMatchObject({
      runs: [{ runId: "one" }],
      nextCursor: null,
    });
  });
});
