import { describe, expect, it } from "vitest";
import { Workspace } from "../../../cli/support/treadle.js";
import { ServerProcess } from "../../support/server-process.js";
import { ASKS } from "../../support/workflows.js";
import { openGateway, type OpenOptions } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

const runId = "one";

/** A run that a server in a process of its own drives, and a gateway of the same workspace. */
async function elsewhere(options: OpenOptions) {
  const workspace = new Workspace({ "asks.tsx": ASKS });
  const server = await ServerProcess.start(workspace);
  await server.call("/v1/runs", {
    body: { workflowPath: "asks.tsx", runId, input: { n: 1, ask: "person" } },
  });
  const settled = async (status: string) =>
    expect.poll(async () => (await server.call(`/v1/runs/${runId}`)).body["status"]).toBe(status);
  await settled("waiting-approval");
  const { url } = await openGateway(() => {}, { folder: workspace.folder, ...options });
  const finish = async () => {
    await server.call(`/v1/runs/${runId}/nodes/gate/approve`, { body: {} });
    await settled("finished");
  };
  return { url, finish };
}

describe("a run that another process drives", () => {
  it("is followed live, by a look at the database now and then", async () => {
    const { url, finish } = await elsewhere({ defaults: { outOfProcessEventBridgePollMs: 20 } });
    const client = await SocketClient.connect(url);
    const { streamId, newestSeq } = await client.result("streamRunEvents", { runId });
    await client.next(({ event, seq }) => event === "run.event" && seq === newestSeq);
    await finish();
    const frames = await client.all(streamId);
    expect(frames.at(-1)).toMatchObject({ event: "run.end", payload: { status: "finished" } });
    expect(frames.slice(0, -1).map(({ seq }) => seq)).toEqual(frames.slice(0, -1).map((_, index) => index));
  });

  it("is replayed only where the gateway does not look", async () => {
    const options = { outOfProcessEventBridge: false, defaults: { outOfProcessEventBridge: true } };
    const { url, finish } = await elsewhere(options);
    const client = await SocketClient.connect(url);
    const { streamId, newestSeq } = await client.result("streamRunEvents", { runId });
    await client.next(({ event, seq }) => event === "run.event" && seq === newestSeq);
    await finish();
    const again = await client.result("streamRunEvents", { runId, afterSeq: newestSeq });
    expect((await client.all(again["streamId"])).at(-1)?.event).toBe("run.end");
    expect(client.of(streamId).at(-1)?.seq).toBe(newestSeq);
  });
});
