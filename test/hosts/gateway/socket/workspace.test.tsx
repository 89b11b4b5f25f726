import { beforeEach, describe, expect, it } from "vitest";
import { pruneRuns, runWorkflow, ServiceDb, signalRun } from "../../../../src/index.js";
import { bearer, openGateway, type OpenGateway, type OpenOptions } from "../support/gateway.js";
import { type Frame, SocketClient } from "../support/socket-client.js";
import { asking, doubling } from "../support/workflows.js";

const register = (options?: OpenOptions) =>
  openGateway((gateway, folder) => {
    gateway.register("ask", asking(folder));
    gateway.register("other", doubling(folder, { db: "other.db" }));
  }, options);

const changed = ({ event }: Frame) => event === "workspace.changed";

/** A client that follows the lists, and has been notified that it begins. */
async function following(url: string, token?: string) {
  const client = await SocketClient.connect(url, token === undefined ? {} : { token });
  const { streamId, kinds } = await client.result("streamWorkspace");
  await client.next(changed);
  return {
    client,
    kinds,
    changes: () => client.of(streamId).map(({ payload: { kind, ids } }) => ({ kind, ids })),
    streamId,
    /** Once this was said of a kind. */
    until: (kind: string, id: string | null) =>
      client.next(
        ({ event, payload }) =>
          event === "workspace.changed" &&
          payload["kind"] === kind &&
          (id === null ? payload["ids"] === null : ((payload["ids"] ?? []) as string[]).includes(id)),
      ),
    forget: () => client.frames.splice(0),
  };
}

describe("the stream of a workspace", () => {
  let gateway: OpenGateway;

  beforeEach(async () => {
    gateway = await register({ outOfProcessEventBridgePollMs: 20 });
  });

  it("begins with `all`, names runs and approvals that this gateway changes, and the schedules", async () => {
    const { url, call } = gateway;
    const reader = await following(url);
    expect(reader.kinds).toEqual(["runs", "approvals", "schedules", "webhooks", "workflows"]);
    expect(reader.changes()).toEqual([{ kind: "all", ids: null }]);
    const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" });
    await reader.until("runs", runId);
    await reader.until("approvals", runId);
    reader.forget();
    await call("submitApproval", { runId, nodeId: "gate", approved: true });
    await reader.until("approvals", runId);
    const cron = { workflow: "ask", pattern: "0 0 1 1 *", cronId: "yearly" };
    await call("cronCreate", cron);
    await reader.until("schedules", "yearly");
    reader.forget();
    await call("cronDelete", { cronId: "yearly" });
    await reader.until("schedules", "yearly");
  });

  it("names what others write to any of its databases, also runs that have begun and ended between two looks", async () => {
    const { url, folder } = gateway;
    const reader = await following(url);
    await runWorkflow(asking(folder), { runId: "asks", input: {} });
    await reader.until("runs", "asks");
    await reader.until("approvals", "asks");
    await runWorkflow(doubling(folder, { db: "other.db" }), { runId: "quick", input: { n: 1 } });
    await reader.until("runs", "quick");
    reader.forget();
    const { runIds } = await pruneRuns(new ServiceDb(doubling(folder, { db: "other.db" }).db), {
      olderThanMs: 0,
    });
    expect(runIds).toEqual(["quick"]);
    await reader.until("runs", null);
  });

  it("says nothing while nothing changes, and each change once", async () => {
    const { url, folder } = gateway;
    const reader = await following(url);
    await runWorkflow(doubling(folder, { db: "other.db" }), { runId: "quick", input: { n: 1 } });
    await reader.until("runs", "quick");
    // Of the same database: what came before has been said by then.
    await runWorkflow(doubling(folder, { db: "other.db" }), { runId: "second", input: { n: 1 } });
    await reader.until("runs", "second");
    const about = reader.changes().filter(({ ids }) => ids !== null);
    expect(about.at(-1)).toEqual({ kind: "runs", ids: ["second"] });
  });

  it("ends when it is stopped, and keeps nothing under way without readers", async () => {
    const { url, folder } = gateway;
    const reader = await following(url);
    expect(await reader.client.result("stopStream", { streamId: reader.streamId })).toMatchObject({
      stopped: true,
    });
    reader.forget();
    await runWorkflow(doubling(folder, { db: "other.db" }), { runId: "quick", input: { n: 1 } });
    const next = await following(url);
    await signalRun(asking(folder), { runId: "none", signal: "go" }).catch(() => {});
    expect(next.changes()[0]).toEqual({ kind: "all", ids: null });
    expect(reader.changes()).toEqual([]);
  });
});

describe("who may follow a workspace", () => {
  it("hears of what its token may list only, and without `run:read` of nothing", async () => {
    const token = (scope: string) => ({ role: "r", scopes: [scope] });
    const { url, call } = await register({
      auth: {
        mode: "token",
        tokens: { all: token("*"), reads: token("run:read"), crons: token("cron:read") },
      },
    });
    const reader = await following(url, "reads");
    expect(reader.kinds).toEqual(["runs", "approvals", "webhooks", "workflows"]);
    const cron = { workflow: "ask", pattern: "0 0 1 1 *", cronId: "yearly" };
    await call("cronCreate", cron, bearer("all"));
    const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" }, bearer("all"));
    await reader.until("approvals", runId);
    expect(reader.changes().map(({ kind }) => kind)).not.toContain("schedules");
    const other = await SocketClient.connect(url, { token: "crons" });
    expect(await other.request("streamWorkspace")).toMatchObject({
      ok: false,
      error: { code: "FORBIDDEN", details: { requiredScope: "run:read" } },
    });
  });
});
