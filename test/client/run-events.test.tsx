import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/client/node.js";
import type {
  ClientOptions,
  GatewayClient,
  RunEventsOptions,
  SequencedEvent,
} from "../../src/client/index.js";
import { ServiceDb } from "../../src/index.js";
import { listEvents } from "../../src/operations/read/read-run.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { shownEvent } from "../hosts/gateway/support/shown-event.js";
import { asking, doubling } from "../hosts/gateway/support/workflows.js";
import { systemClock } from "../../src/util/clock.js";

const QUICKLY = { minDelayMs: 5, maxDelayMs: 20 };

function clientOf(options: ClientOptions): GatewayClient {
  const client = createClient({ reconnect: QUICKLY, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Follows a run aside; what has come so far is in `events`. */
function follow(client: GatewayClient, runId: string, options?: RunEventsOptions) {
  const events: SequencedEvent[] = [];
  const done = (async () => {
    for await (const event of client.runEvents(runId, options)) events.push(event);
  })();
  done.catch(() => {});
  const types = () => events.map(({ event }) => event.type);
  return { events, done, until: (type: string) => expect.poll(types).toContain(type) };
}

const answer = async (client: GatewayClient, runId: string) => {
  await client.submitApproval({ runId, nodeId: "gate", approved: true });
  await client.submitSignal({ runId, signal: "go", data: { n: 1 } });
};

describe("the events of a run", () => {
  it("come in order while it continues, and end with it", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: gateway.url });
    const { runId } = await client.launchRun({ workflow: "ask" });
    const reader = follow(client, runId);
    await reader.until("ApprovalRequested");
    expect(client.connection.status).toBe("open");
    await answer(client, runId);
    await reader.done;
    const kept = await listEvents(new ServiceDb(asking(gateway.folder).db), runId);
    expect(reader.events).toEqual(kept.map(({ seq, event }) => ({ seq, event: shownEvent(event) })));
    expect(reader.events.at(-1)?.event.type).toBe("RunFinished");
  });

  it("continue after a restart of the gateway where they were, each once", async () => {
    const first = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: first.url });
    const { runId } = await client.launchRun({ workflow: "ask" });
    const reader = follow(client, runId);
    await reader.until("ApprovalRequested");
    const { port } = first.server.address() as AddressInfo;
    await first.gateway.close();
    await expect.poll(() => client.connection.status).toBe("offline");
    const { folder } = first;
    await openGateway((gateway) => gateway.register("ask", asking(folder)), { folder, listen: { port } });
    await expect.poll(() => client.connection.status).toBe("open");
    await answer(client, runId);
    await reader.done;
    expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_, index) => index));
    expect(reader.events.at(-1)?.event.type).toBe("RunFinished");
  });

  it("begin after the one that the reader names", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const client = clientOf({ url: gateway.url });
    const { runId } = await client.launchRun({ workflow: "twice", input: { n: 1 } });
    await gateway.until(runId, "finished");
    const all = follow(client, runId);
    await all.done;
    const later = follow(client, runId, { afterSeq: 1 });
    await later.done;
    expect(later.events).toEqual(all.events.slice(2));
  });

  it("of several runs share one connection, which closes after the last", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: gateway.url });
    const changes: string[] = [];
    client.onConnection(() => changes.push(client.connection.status));
    const runs = [await client.launchRun({ workflow: "ask" }), await client.launchRun({ workflow: "ask" })];
    const stop = new AbortController();
    const readers = runs.map(({ runId }) => follow(client, runId, { signal: stop.signal }));
    for (const reader of readers) await reader.until("ApprovalRequested");
    expect(changes).toEqual(["connecting", "open"]);
    stop.abort();
    for (const reader of readers) await reader.done;
    await expect.poll(() => client.connection.status).toBe("idle");
  });

  it("stop when the reader leaves the loop", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: gateway.url });
    const { runId } = await client.launchRun({ workflow: "ask" });
    for await (const { event } of client.runEvents(runId)) if (event.type === "ApprovalRequested") break;
    await expect.poll(() => client.connection.status).toBe("idle");
  });

  it("of a run that is not there are refused, and those of a closed client", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: gateway.url });
    await expect(follow(client, "nobody").done).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    const { runId } = await client.launchRun({ workflow: "ask" });
    const reader = follow(client, runId);
    await reader.until("ApprovalRequested");
    client.close();
    await expect(reader.done).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    await expect(follow(client, runId).done).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
  });

  it("are refused to whom the gateway does not know, without another try", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
      auth: { mode: "token", tokens: { right: { role: "operator", scopes: ["*"] } } },
    });
    const unknownName = clientOf({ url: gateway.url, token: "wrong" });
    await expect(follow(unknownName, "run").done).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(unknownName.connection).toMatchObject({ status: "refused", error: { code: "UNAUTHORIZED" } });
    const known = clientOf({ url: gateway.url, token: "right" });
    await expect(follow(known, "run").done).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  it("continue, each once, with the token that there is when the one before has lapsed", async () => {
    const now = systemClock.now();
    let aheadMs = 0;
    const grant = { role: "operator", scopes: ["*"] };
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
      auth: { mode: "token", tokens: { short: { ...grant, expiresAtMs: now + 3_600_000 }, long: grant } },
      clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
      heartbeatMs: 50,
    });
    let token = "short";
    const client = clientOf({ url: gateway.url, token: () => token });
    const changes: string[] = [];
    client.onConnection(() => changes.push(client.connection.status));
    const { runId } = await client.launchRun({ workflow: "ask" });
    const reader = follow(client, runId);
    await reader.until("ApprovalRequested");
    token = "long";
    aheadMs = 7_200_000;
    await expect.poll(() => changes).toEqual(["connecting", "open", "offline", "connecting", "open"]);
    await answer(client, runId);
    await reader.done;
    expect(reader.events.map(({ seq }) => seq)).toEqual(reader.events.map((_, index) => index));
    expect(reader.events.at(-1)?.event.type).toBe("RunFinished");
  });

  it("end with UNAUTHORIZED when the token has lapsed and there is no other", async () => {
    let aheadMs = 0;
    const short = { role: "operator", scopes: ["*"], expiresAtMs: systemClock.now() + 3_600_000 };
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
      auth: { mode: "token", tokens: { short } },
      clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
      heartbeatMs: 50,
    });
    const client = clientOf({ url: gateway.url, token: "short" });
    const { runId } = await client.launchRun({ workflow: "ask" });
    const reader = follow(client, runId);
    await reader.until("ApprovalRequested");
    aheadMs = 7_200_000;
    await expect(reader.done).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("leave no connection behind when there are none", async () => {
    const client = clientOf({ url: (await openGateway(() => {})).url });
    await expect(follow(client, "nobody").done).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect.poll(() => client.connection.status).toBe("idle");
  });

  it("that are too old to be replayed are reported as a gap, or fail a reader who does not want to know", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      eventWindowSize: 3,
    });
    const client = clientOf({ url: gateway.url });
    const { runId } = await client.launchRun({ workflow: "twice", input: { n: 1 } });
    await gateway.until(runId, "finished");
    const gaps: unknown[] = [];
    const reader = follow(client, runId, {
      onGap: ({ fromSeq, toSeq, snapshot }) =>
        gaps.push([fromSeq, toSeq, (snapshot as { runId: string }).runId]),
    });
    await reader.done;
    const [first] = reader.events;
    expect(reader.events).toHaveLength(3);
    expect(gaps).toEqual([[0, (first?.seq ?? 0) - 1, runId]]);
    await expect(follow(client, runId).done).rejects.toMatchObject({
      code: "CLIENT_EVENT_GAP",
      details: { runId, fromSeq: 0 },
    });
  });
});
