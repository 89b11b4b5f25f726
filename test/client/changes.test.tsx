import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/client/node.js";
import type { WorkspaceChange } from "../../src/client/index.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { asking } from "../hosts/gateway/support/workflows.js";
import { freePort } from "../support/free-port.js";

it("the changes of a workspace begin with `all`, again after a restart of the gateway, and end with their signal", async () => {
  const port = await freePort();
  const first = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
    listen: { port },
  });
  const client = createClient({ url: first.url, reconnect: { minDelayMs: 5, maxDelayMs: 20 } });
  onTestFinished(() => client.close());
  const stop = new AbortController();
  const seen: WorkspaceChange[] = [];
  const done = (async () => {
    for await (const change of client.changes({ signal: stop.signal })) seen.push(change);
  })();
  const begins = () => seen.filter(({ kind }) => kind === "all").length;
  await expect.poll(begins).toBe(1);
  expect(seen).toEqual([{ kind: "all", ids: null }]);
  const { runId } = await client.launchRun({ workflow: "ask" });
  await expect.poll(() => seen).toContainEqual({ kind: "runs", ids: [runId] });
  await expect.poll(() => seen).toContainEqual({ kind: "approvals", ids: [runId] });
  await first.gateway.close();
  await openGateway((gateway) => gateway.register("ask", asking(first.folder)), {
    folder: first.folder,
    listen: { port },
  });
  await expect.poll(begins).toBe(2);
  stop.abort();
  await done;
});
