import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/client/node.js";
import type { GatewayClient, SpokenText } from "../../src/client/index.js";
import { createService, ServiceError, type ServiceWorkflow } from "../../src/index.js";
import { openGateway, type OpenGateway } from "../hosts/gateway/support/gateway.js";
import { SocketClient } from "../hosts/gateway/support/socket-client.js";
import { freePort } from "../support/free-port.js";

function clientOf({ url }: OpenGateway): GatewayClient {
  const client = createClient({ url, reconnect: { minDelayMs: 5, maxDelayMs: 20 } });
  onTestFinished(() => client.close());
  return client;
}

/** Two tasks that print a line each. */
function printing(folder: string): ServiceWorkflow {
  const { Workflow, Sequence, Task, service, outputs } = createService(
    { output: z.object({ ok: z.boolean() }) },
    { dbPath: join(folder, "service.db") },
  );
  const work = (line: string) => () => {
    console.log(line);
    return { ok: true };
  };
  return service(() => (
    <Workflow name="print">
      <Sequence>
        <Task id="one" output={outputs.output}>
          {work("first line")}
        </Task>
        <Task id="two" output={outputs.output}>
          {work("second line")}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("what tasks of a run say", () => {
  const openPrinting = () => openGateway((gateway, folder) => gateway.register("print", printing(folder)));

  it("comes in order until the run has ended, with the numbers of its events", async () => {
    const client = clientOf(await openPrinting());
    const { runId } = await client.launchRun({ workflow: "print" });
    const texts = await collect(client.taskOutput(runId));
    expect(texts.map(({ kind, nodeId, text }) => [kind, nodeId, text.trim()])).toEqual([
      ["output", "one", "first line"],
      ["output", "two", "second line"],
    ]);
    const [first] = texts as Extract<SpokenText, { kind: "output" }>[];
    const later = await collect(client.taskOutput(runId, { afterSeq: first?.seq ?? -1 }));
    expect(later.map(({ text }) => text.trim())).toEqual(["second line"]);
  });

  it("can be that of one node", async () => {
    const client = clientOf(await openPrinting());
    const { runId } = await client.launchRun({ workflow: "print" });
    const texts = await collect(client.taskOutput(runId, { nodeId: "two" }));
    expect(texts.map(({ nodeId }) => nodeId)).toEqual(["two"]);
  });
});

describe("a stream of an extension", () => {
  it("gives its items until it ends, null among them", async () => {
    const gateway = await openGateway((gateway) =>
      gateway.extend("count", {
        streams: {
          down: {
            async *handler(params) {
              for (let n = (params as { from: number }).from; n > 0; n -= 1) yield { n };
              yield null;
            },
          },
        },
      }),
    );
    const items = await collect(clientOf(gateway).stream("ext.count.down", { from: 2 }));
    expect(items).toEqual([{ n: 2 }, { n: 1 }, null]);
  });

  it("fails when its connection is lost: its items cannot be replayed", async () => {
    let opened = 0;
    const extend: Parameters<typeof openGateway>[0] = (gateway) => {
      gateway.extend("ever", {
        streams: {
          more: {
            async *handler(_params, { signal }) {
              opened += 1;
              yield "begun";
              await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
            },
          },
        },
      });
    };
    const listen = { port: await freePort() };
    const first = await openGateway(extend, { listen });
    const client = clientOf(first);
    const items: unknown[] = [];
    const done = (async () => {
      for await (const item of client.stream("ext.ever.more")) items.push(item);
    })();
    done.catch(() => {});
    await expect.poll(() => items).toEqual(["begun"]);
    await first.gateway.close();
    await openGateway(extend, { listen });
    await expect(done).rejects.toMatchObject({ code: "CLIENT_STREAM_LOST" });
    expect(opened).toBe(1);
  });

  it("is asked for with all that its caller gave, or not at all", async () => {
    const client = clientOf(await openGateway(() => {}));
    await expect(collect(client.stream("ext.any.thing", { odd: new Set() }))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { path: "odd" },
    });
  });

  it("that its handler refuses gets the refusal, and ends no connection that others use", async () => {
    const refuse = () => {
      throw new ServiceError("UNAUTHORIZED", "The service behind it knows nobody.");
    };
    const gateway = await openGateway((gateway) => {
      gateway.extend("own", {
        queries: { look: { handler: refuse } },
        streams: { more: { handler: refuse } },
      });
    });
    await expect(collect(clientOf(gateway).stream("ext.own.more"))).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: expect.stringContaining("knows nobody"),
    });
    const socket = await SocketClient.connect(gateway.url);
    expect(await socket.request("ext.own.look")).toMatchObject({
      ok: false,
      error: { code: "UNAUTHORIZED" },
    });
    expect(await socket.result("health")).toMatchObject({ ok: true });
  });

  it("that there is not is refused", async () => {
    const client = clientOf(await openGateway(() => {}));
    await expect(collect(client.stream("ext.no.such"))).rejects.toMatchObject({ code: "METHOD_NOT_FOUND" });
  });
});
