import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { doubling } from "./support/workflows.js";

describe("a launch that is made again", () => {
  it("with the same idempotency key and equal params is the same run, also after a restart", async () => {
    const folder = temporaryFolder();
    const register = (gateway: { register(key: string, workflow: never): unknown }) =>
      gateway.register("twice", doubling(folder) as never);
    const launch = { workflow: "twice", input: { n: 4 }, idempotencyKey: "order 17" };
    const first = await openGateway(register, { folder });
    const twenty = await Promise.all(Array.from({ length: 20 }, () => first.call("launchRun", launch)));
    expect(new Set(twenty.map(({ runId }) => runId)).size).toBe(1);
    expect(twenty.filter(({ isNew }) => isNew)).toHaveLength(1);
    const { runId } = twenty[0] as { runId: string };
    await first.until(runId, "finished");
    await first.gateway.close();
    const second = await openGateway(register, { folder });
    expect(await second.call("launchRun", launch)).toMatchObject({ runId, isNew: false, status: "finished" });
    expect(await second.call("listRuns")).toMatchObject({ runs: [{ runId }], nextCursor: null });
  });

  it("with the same idempotency key and other params is refused, whatever differs", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway.register("twice", doubling(folder)).register("apart", doubling(folder, { db: "apart.db" }));
    });
    const launch = { workflow: "twice", input: { n: 4 }, idempotencyKey: "k" };
    const { runId } = await gateway.call("launchRun", launch);
    for (const other of [
      { input: { n: 5 } },
      { workflow: "apart" },
      { maxConcurrency: 2 },
      { queue: "large" },
      { annotations: { a: 1 } },
    ]) {
      expect(await gateway.rpc("launchRun", { ...launch, ...other })).toMatchObject({
        status: 409,
        body: { error: { code: "IDEMPOTENCY_KEY_REUSED", details: { runId } } },
      });
    }
    expect((await gateway.call("listRuns")).runs).toHaveLength(1);
  });

  it("with the same run id and equal input is the same run; another input is refused", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const launch = { workflow: "twice", input: { n: 4 }, runId: "mine" };
    expect(await gateway.call("launchRun", launch)).toMatchObject({ runId: "mine", isNew: true });
    await gateway.until("mine", "finished");
    expect(await gateway.call("launchRun", launch)).toMatchObject({ runId: "mine", isNew: false });
    expect(await gateway.rpc("launchRun", { ...launch, input: { n: 5 } })).toMatchObject({ status: 400 });
    expect(await gateway.rpc("launchRun", { ...launch, idempotencyKey: "k" })).toMatchObject({ status: 400 });
  });

  it("with the id of a run that the workflow was given under an earlier key is the same run", async () => {
    const folder = temporaryFolder();
    const launch = { input: { n: 4 }, runId: "mine" };
    const first = await openGateway((gateway) => gateway.register("old", doubling(folder)), { folder });
    await first.call("launchRun", { ...launch, workflow: "old" });
    await first.until("mine", "finished");
    await first.gateway.close();
    const second = await openGateway(
      (gateway) =>
        gateway.register("new", doubling(folder)).register("other", doubling(folder, { name: "other" })),
      { folder },
    );
    const again = await second.call("launchRun", { ...launch, workflow: "new" });
    expect(again).toMatchObject({ runId: "mine", isNew: false, status: "finished" });
    expect((await second.rpc("launchRun", { ...launch, workflow: "other" })).status).toBe(400);
  });

  it("with the id of a run of another workflow is refused, in every database", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway
        .register("twice", doubling(folder))
        .register("same", doubling(folder, { name: "other" }))
        .register("apart", doubling(folder, { db: "apart.db" }));
    });
    const launch = { workflow: "twice", input: { n: 4 }, runId: "mine" };
    await gateway.call("launchRun", launch);
    await gateway.until("mine", "finished");
    for (const workflow of ["same", "apart"]) {
      expect(await gateway.rpc("launchRun", { ...launch, workflow })).toMatchObject({
        status: 400,
        body: { error: { code: "INVALID_INPUT", details: { runId: "mine", workflowName: "double" } } },
      });
    }
    expect((await gateway.call("listRuns")).runs).toHaveLength(1);
  });

  it("with the idempotency key of another user is a run of one's own, and tells nothing of the other", async () => {
    const grant = { role: "operator", scopes: ["run:write"] };
    const tokens = { a: { ...grant, userId: "ana" }, b: { ...grant, userId: "ben" }, c: grant, d: grant };
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens },
    });
    const ids = new Set<unknown>();
    for (const [at, token] of Object.keys(tokens).entries()) {
      const launch = { workflow: "twice", input: { n: at }, idempotencyKey: "order 17" };
      const headers = { authorization: `Bearer ${token}` };
      const { runId } = await gateway.call("launchRun", launch, headers);
      expect(await gateway.call("launchRun", launch, headers)).toMatchObject({ runId, isNew: false });
      ids.add(runId);
    }
    expect(ids.size).toBe(4);
  });
});
