import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/client/node.js";
import type { GatewayClient } from "../../src/client/index.js";
import type { Gateway } from "../../src/hosts/gateway/index.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { asking } from "../hosts/gateway/support/workflows.js";

function clientOf(url: string): GatewayClient {
  const client = createClient({ url, reconnect: { minDelayMs: 5, maxDelayMs: 20 } });
  onTestFinished(() => client.close());
  return client;
}

/** What streams of a run have come to: which events, how they ended. */
function followAll(client: GatewayClient, runId: string, count: number) {
  const seen = Array.from({ length: count }, () => new Set<string>());
  const all = seen.map(async (types) => {
    for await (const { event } of client.runEvents(runId)) types.add(event.type);
  });
  const done = Promise.allSettled(all);
  return { done, having: (type: string) => seen.filter((types) => types.has(type)).length };
}

const register = (folder?: string) => (gateway: Gateway, fresh: string) =>
  gateway.register("ask", asking(folder ?? fresh));

async function answer(client: GatewayClient, runId: string): Promise<void> {
  await client.submitApproval({ runId, nodeId: "gate", approved: true });
  await client.submitSignal({ runId, signal: "go", data: { n: 1 } });
}

it("more streams than a connection may have requests under way are all opened, and none is lost with a gateway", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => warnings.push(warning);
  process.on("warning", keep);
  onTestFinished(() => void process.off("warning", keep));
  const first = await openGateway(register());
  const client = clientOf(first.url);
  const { runId } = await client.launchRun({ workflow: "ask" });
  const streams = followAll(client, runId, 150);
  await expect.poll(() => streams.having("ApprovalRequested")).toBe(150);
  const { port } = first.server.address() as AddressInfo;
  await first.gateway.close();
  const { folder } = first;
  await openGateway(register(folder), { folder, listen: { port } });
  await expect.poll(() => client.connection.status).toBe("open");
  await answer(client, runId);
  expect((await streams.done).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(streams.having("RunFinished")).toBe(150);
  expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
});

it("of more streams than a connection may have, those beyond fail with what to do, and ended ones make room", async () => {
  const { url } = await openGateway(register());
  const client = clientOf(url);
  const { runId } = await client.launchRun({ workflow: "ask" });
  const streams = followAll(client, runId, 256);
  await expect.poll(() => streams.having("ApprovalRequested")).toBe(256);
  const beyond = client.runEvents(runId);
  await expect(beyond.next()).rejects.toMatchObject({
    code: "CAPACITY_EXCEEDED",
    message: expect.stringMatching(/256 streams open.*another connection/),
  });
  await answer(client, runId);
  await streams.done;
  expect(streams.having("RunFinished")).toBe(256);
});

it("streams that are left at once are all stopped at the gateway", async () => {
  let open = 0;
  const { url } = await openGateway((gateway) =>
    gateway.extend("ever", {
      streams: {
        more: {
          async *handler(_params, { signal }) {
            open += 1;
            yield "begun";
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
            open -= 1;
          },
        },
      },
    }),
  );
  const client = clientOf(url);
  const readers = Array.from({ length: 150 }, () => new AbortController());
  const streams = readers.map(async ({ signal }) => {
    for await (const _item of client.stream("ext.ever.more", {}, { signal }));
  });
  // Keeps the connection.
  const kept = client.stream("ext.ever.more");
  await kept.next();
  await expect.poll(() => open).toBe(151);
  for (const reader of readers) reader.abort();
  await Promise.all(streams);
  await expect.poll(() => open).toBe(1);
});
