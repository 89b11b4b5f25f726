import { expect, it } from "vitest";
import { bearer, openGateway } from "./support/gateway.js";
import { doubling } from "./support/workflows.js";

const tokens = {
  admin: { role: "lead", scopes: ["run:admin"], userId: "ada" },
  writer: { role: "operator", scopes: ["run:write"], userId: "eve" },
};

async function finishedRun() {
  const gateway = await openGateway((gateway, folder) => gateway.register("double", doubling(folder)), {
    auth: { mode: "token", tokens },
  });
  const { runId } = await gateway.call<{ runId: string }>(
    "launchRun",
    { workflow: "double", input: { n: 4 } },
    bearer("admin"),
  );
  await gateway.until(runId, "finished", bearer("admin"));
  return { gateway, runId };
}

it.each(["forkRun", "replayRun", "rewindRun"])("%s needs run:admin", async (method) => {
  const { gateway, runId } = await finishedRun();
  expect(await gateway.rpc(method, { runId, frameNo: 1 }, bearer("writer"))).toMatchObject({
    status: 403,
    body: { error: { code: "FORBIDDEN", details: { requiredScope: "run:admin" } } },
  });
  expect(await gateway.rpc(method, { runId, frameNo: 99 }, bearer("admin"))).toMatchObject({
    status: 404,
    body: { error: { code: "SNAPSHOT_NOT_FOUND" } },
  });
});

it("a fork is a run of its own, which ends as the run did", async () => {
  const { gateway, runId } = await finishedRun();
  const made = await gateway.call<{ runId: string }>("forkRun", { runId, frameNo: 1 }, bearer("admin"));
  expect(made.runId).not.toBe(runId);
  await gateway.call("resumeRun", { runId: made.runId }, bearer("admin"));
  await gateway.until(made.runId, "finished", bearer("admin"));
  expect(await gateway.call("getRun", { runId }, bearer("admin"))).toMatchObject({ status: "finished" });
});

it("a replay is a fork that is under way at once", async () => {
  const { gateway, runId } = await finishedRun();
  const call = { runId, frameNo: 1 };
  const preview = await gateway.call("replayRun", { ...call, dryRun: true }, bearer("admin"));
  expect(preview).toMatchObject({ runId: null, status: null, effects: [] });
  const taken = await gateway.rpc("replayRun", { ...call, newRunId: runId }, bearer("admin"));
  expect(taken).toMatchObject({ body: { error: { code: "RUN_EXISTS" } } });
  const made = await gateway.call<{ runId: string }>(
    "replayRun",
    { ...call, newRunId: "again" },
    bearer("admin"),
  );
  expect(made).toMatchObject({ ...(preview as object), runId: "again", status: expect.any(String), seq: 0 });
  await gateway.until("again", "finished", bearer("admin"));
});

it("a run that went back continues when it is resumed, and says who asked", async () => {
  const { gateway, runId } = await finishedRun();
  const call = { runId, frameNo: 1 };
  const preview = await gateway.call("rewindRun", { ...call, dryRun: true }, bearer("admin"));
  expect(await gateway.call("getRun", { runId }, bearer("admin"))).toMatchObject({ status: "finished" });
  const gone = await gateway.call<{ seq: number }>("rewindRun", call, bearer("admin"));
  expect(gone).toEqual({ ...(preview as object), seq: expect.any(Number) });
  expect(await gateway.call("getRun", { runId }, bearer("admin"))).not.toMatchObject({ status: "finished" });
  await gateway.call("resumeRun", { runId }, bearer("admin"));
  await gateway.until(runId, "finished", bearer("admin"));
});
