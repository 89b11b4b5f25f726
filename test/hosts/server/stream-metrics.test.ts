import { expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { readServerSentEvents } from "../support/server-sent-events.js";
import { ServerProcess } from "../support/server-process.js";
import { ASKS } from "../support/workflows.js";

it("streams of events and output are counted while they are open, and when they were opened", async () => {
  const server = await ServerProcess.start(new Workspace({ "asks.tsx": ASKS }));
  await server.call("/v1/runs", {
    body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } },
  });
  const follow = (path: string) => readServerSentEvents(`${server.url}/v1/runs/one/${path}`, {});
  const value = async (name: string, stream: string) => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{stream="${stream}"\\} (\\d+)$`, "m").exec(text)?.[1]);
  };
  const events = await follow("events");
  const output = await follow("output");
  await events.until("ApprovalRequested");
  await expect.poll(() => value("service_streams_active", "events")).toBe(1);
  await expect.poll(() => value("service_streams_active", "output")).toBe(1);
  output.close();
  await expect.poll(() => value("service_streams_active", "output")).toBe(0);
  await server.call("/v1/runs/one/nodes/gate/approve", { body: {} });
  await events.rest();
  await expect.poll(() => value("service_streams_active", "events")).toBe(0);
  expect(await value("service_streams_opened_total", "events")).toBe(1);
  expect(await value("service_streams_opened_total", "output")).toBe(1);
});
