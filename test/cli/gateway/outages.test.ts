import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openClient } from "../../../src/cli/source/open-client.js";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { asking } from "../../hosts/gateway/support/workflows.js";
import { memoryTerminal } from "../support/terminal.js";

it("a person who follows a run sees when its gateway has gone, and when it is there again", async () => {
  const first = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
  const terminal = memoryTerminal();
  const client = await openClient({ url: first.url, isNamed: true, token: undefined }, terminal);
  onTestFinished(() => client.close());
  const { runId } = await client.launchRun({ workflow: "ask" });
  const types: string[] = [];
  const following = (async () => {
    for await (const { event } of client.runEvents(runId)) types.push(event.type);
  })();
  await expect.poll(() => types).toContain("ApprovalRequested");
  const { port } = first.server.address() as AddressInfo;
  await first.gateway.close();
  await expect.poll(() => terminal.errEnd.text).toContain(`! ${first.url} cannot be reached`);
  const { folder } = first;
  await openGateway((gateway) => gateway.register("ask", asking(folder)), { folder, listen: { port } });
  await expect.poll(() => terminal.errEnd.text).toContain("is reached again");
  expect(terminal.errEnd.text.trim().split("\n")).toHaveLength(2);
  await client.cancelRun({ runId });
  await following;
  expect(types.at(-1)).toBe("RunCancelled");
});
