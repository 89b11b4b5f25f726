import { describe, expect, it } from "vitest";
import {
  approveNode,
  followEvents,
  runWorkflow,
  type ServiceWorkflow,
  signalRun,
} from "../../../../src/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { openGateway, type OpenOptions } from "../support/gateway.js";
import { shownEvent } from "../support/shown-event.js";
import { SocketClient } from "../support/socket-client.js";
import { asking } from "../support/workflows.js";

const runId = "one";

/** A run that waits for a person, and a gateway that does not know its workflow and so leaves it to the test. */
async function waiting(options: OpenOptions = {}) {
  const folder = temporaryFolder();
  const workflow = asking(folder);
  await runWorkflow(workflow, { runId, input: {} });
  const open = () => openGateway(() => {}, { folder, ...options });
  const { gateway, url } = await open();
  const finish = async () => {
    await approveNode(workflow, { runId, nodeId: "gate" });
    await signalRun(workflow, { runId, signal: "go", data: { n: 1 } });
    await runWorkflow(workflow, { runId, resume: true });
  };
  return { workflow, folder, gateway, url, open, finish };
}

async function stored(workflow: ServiceWorkflow) {
  const events = [];
  for await (const { seq, event } of followEvents(workflow, { runId, follow: false })) {
    events.push({
      event: "run.event",
      seq,
      payload: expect.objectContaining({ runId, event: shownEvent(event) }),
    });
  }
  return events;
}

describe("following a run over a WebSocket", () => {
  it("brings what there is, then what comes, each event once under its own number, and then the end", async () => {
    const { workflow, url, finish } = await waiting();
    const client = await SocketClient.connect(url);
    const { streamId, ...answer } = await client.result("streamRunEvents", { runId });
    const before = await stored(workflow);
    expect(answer).toEqual({ runId, afterSeq: -1, newestSeq: before.length - 1 });
    await client.next(({ seq, event }) => event === "run.event" && seq === before.length - 1);
    await finish();
    const frames = await client.all(streamId);
    const events = await stored(workflow);
    expect(events.length).toBeGreaterThan(before.length);
    expect(frames.slice(0, -1)).toMatchObject(events);
    expect(frames.at(-1)).toMatchObject({
      event: "run.end",
      seq: events.length - 1,
      payload: { streamId, runId, status: "finished", nextRunId: null },
    });
  });

  it("is taken up after the last number that a client has, also at another gateway", async () => {
    const { workflow, url, gateway, open, finish } = await waiting();
    const first = await SocketClient.connect(url);
    const { newestSeq } = await first.result("streamRunEvents", { runId });
    await first.next(({ seq, event }) => event === "run.event" && seq === newestSeq);
    const closing = gateway.close();
    expect((await first.closed).code).toBe(1001);
    await closing;
    await finish();
    const again = await open();
    const second = await SocketClient.connect(again.url);
    const { streamId } = await second.result("streamRunEvents", { runId, afterSeq: newestSeq });
    const rest = (await second.all(streamId)).slice(0, -1);
    const seen = [...first.frames.filter(({ event }) => event === "run.event"), ...rest];
    expect(seen).toMatchObject(await stored(workflow));
  });

  it("begins with a gap that shows the run when more lies between than is replayed", async () => {
    const { workflow, url, finish } = await waiting({ eventWindowSize: 3 });
    await finish();
    const events = await stored(workflow);
    const last = events.length - 1;
    const client = await SocketClient.connect(url);
    const { streamId } = await client.result("streamRunEvents", { runId, afterSeq: 1 });
    const [gap, ...rest] = await client.all(streamId);
    expect(gap).toMatchObject({
      event: "run.gap",
      seq: last - 3,
      payload: { runId, fromSeq: 2, toSeq: last - 3, snapshot: { runId, status: "finished" } },
    });
    expect(rest.slice(0, -1)).toMatchObject(events.slice(-3));
    const near = await client.result("streamRunEvents", { runId, afterSeq: last - 3 });
    expect((await client.all(near["streamId"])).map(({ event }) => event)).toEqual([
      ...Array.from({ length: 3 }, () => "run.event"),
      "run.end",
    ]);
  });

  it("stops on request; other streams of the connection continue", async () => {
    const { url, finish } = await waiting();
    const client = await SocketClient.connect(url);
    const first = await client.result("streamRunEvents", { runId });
    const second = await client.result("streamRunEvents", { runId });
    await client.next(
      ({ payload, seq }) => payload["streamId"] === first["streamId"] && seq === first["newestSeq"],
    );
    expect(await client.result("stopStream", { streamId: first["streamId"] })).toMatchObject({
      stopped: true,
    });
    const seen = client.of(first["streamId"]).length;
    await finish();
    expect((await client.all(second["streamId"])).at(-1)?.event).toBe("run.end");
    expect(client.of(first["streamId"]).length).toBe(seen);
    expect(await client.result("stopStream", { streamId: first["streamId"] })).toMatchObject({
      stopped: false,
    });
  });

  it("is refused for a run that is not there and for a number that the run has not come to", async () => {
    const { url } = await waiting();
    const client = await SocketClient.connect(url);
    const refusal = async (params: unknown) => (await client.request("streamRunEvents", params)).error?.code;
    expect(await refusal({ runId: "nobody" })).toBe("RUN_NOT_FOUND");
    for (const params of [
      { runId, afterSeq: 1e6 },
      { runId, afterSeq: -2 },
      { runId, afterSeq: 0.5 },
      {},
      null,
    ]) {
      expect(await refusal(params)).toBe("INVALID_INPUT");
    }
  });
});
