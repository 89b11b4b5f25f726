import { expect, it } from "vitest";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { watchMetrics } from "../../observability/support/changes.js";
import { counting } from "./cron/support/workflows.js";
import { openGateway } from "./support/gateway.js";
import { SocketClient } from "./support/socket-client.js";
import { asking } from "./support/workflows.js";
import { noting, post, SECRET } from "./webhooks/support/hooks.js";

it("methods are counted by name and status, over every transport, and unknown names as one", async () => {
  const { call, rpc, url } = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
  const changes = watchMetrics();
  const calls = (method: string, status_class: string) =>
    changes.of("service_rpc_requests", { method, status_class });
  await call("listRuns");
  await call("listWorkflows");
  await rpc("getRun", { runId: "nowhere" });
  await rpc("whatever");
  await rpc("__proto__");
  await rpc("replayRun", { runId: "nowhere" });
  await fetch(`${url}/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"method":"listRuns"}',
  });
  const socket = await SocketClient.connect(url);
  await socket.result("listRuns");
  await socket.request("whatever else");
  expect(calls("listRuns", "2xx")).toBe(3);
  expect(calls("listWorkflows", "2xx")).toBe(1);
  expect(calls("getRun", "4xx")).toBe(1);
  expect(calls("connect", "2xx")).toBe(1);
  expect(calls("other", "4xx")).toBe(3);
  expect(calls("replayRun", "5xx") + calls("replayRun", "4xx")).toBe(1);
  expect(changes.of("service_rpc_request_duration_ms_count", { method: "listRuns" })).toBe(3);
});

it("WebSockets and their streams are counted while they are open, and when they were opened", async () => {
  const { call, until, url } = await openGateway((gateway, folder) =>
    gateway.register("ask", asking(folder)),
  );
  const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" });
  await until(runId, "waiting-approval");
  const changes = watchMetrics();
  const stream = { stream: "streamRunEvents" };
  const socket = await SocketClient.connect(url);
  const { streamId } = await socket.result("streamRunEvents", { runId });
  await socket.result("streamRunEvents", { runId });
  expect(changes.of("service_websocket_connections")).toBe(1);
  expect(changes.of("service_streams_active", stream)).toBe(2);
  await socket.result("stopStream", { streamId });
  await expect.poll(() => changes.of("service_streams_active", stream)).toBe(1);
  socket.socket.close();
  await expect.poll(() => changes.of("service_websocket_connections")).toBe(0);
  await expect.poll(() => changes.of("service_streams_active", stream)).toBe(0);
  expect(changes.of("service_websocket_connections_total")).toBe(1);
  expect(changes.of("service_streams_opened_total", stream)).toBe(2);
});

const START = Date.parse("2026-05-04T08:30:00Z");

it("a schedule's times are counted once for all gateways of a database, by what came of them", async () => {
  const clock = new VirtualClock(START);
  const register = (folder: string) =>
    openGateway((gateway) => gateway.register("count", counting(folder), { schedule: "0 * * * *" }), {
      clock,
      folder,
    });
  const first = await openGateway(
    (gateway, folder) => gateway.register("count", counting(folder), { schedule: "0 * * * *" }),
    { clock },
  );
  await register(first.folder);
  const changes = watchMetrics();
  const came = (outcome: string) => changes.of("service_schedule_occurrences_total", { outcome });
  clock.moveTo(Date.parse("2026-05-04T09:00:00Z"));
  await expect.poll(() => came("fired")).toBe(1);
  clock.moveTo(Date.parse("2026-05-04T12:30:00Z"));
  await expect.poll(() => came("skipped-missed")).toBe(3);
  expect(came("fired")).toBe(1);
  expect(came("failed")).toBe(0);
});

it("deliveries to a webhook are counted by what came of them, and those to no webhook not at all", async () => {
  const gateway = await openGateway((host, folder) =>
    host.register("note", noting(folder), {
      webhook: { secret: SECRET, run: { enabled: true, inputPath: "$.order" } },
    }),
  );
  const changes = watchMetrics();
  const came = (outcome: string) =>
    changes.of("service_webhook_deliveries_total", { webhook: "note", outcome });
  const all = () => changes.of("service_webhook_deliveries_total");
  const headers = { "x-delivery-id": "d1" };
  const body = { order: { n: 3 } };
  expect((await post(gateway, "note", { body, headers })).status).toBe(200);
  expect((await post(gateway, "note", { body, headers })).status).toBe(200);
  const forged = { ...headers, "x-hub-signature-256": "sha256=00" };
  expect((await post(gateway, "note", { body, headers: forged })).status).toBe(401);
  expect((await post(gateway, "elsewhere", { body })).status).toBe(401);
  expect([came("accepted"), came("duplicate"), came("refused"), came("failed")]).toEqual([1, 1, 1, 0]);
  expect(all()).toBe(3);
});
