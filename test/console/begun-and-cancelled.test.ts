import { expect, it } from "vitest";
import type { Gateway } from "../../src/hosts/gateway/index.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { choosing } from "./support/release.js";
import { openConsole } from "./support/scene.js";
import { SECRET, sendTicket, tickets } from "./support/tickets.js";

it("says who cancelled a run and why, in its header and in the list", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  const runId = await run("choose", "waiting-approval");
  await gateway.call("cancelRun", { runId, reason: "Called off by marketing." });
  await gateway.until(runId, "cancelled");
  await open("/runs");
  await page.getByRole("row").filter({ hasText: runId }).getByText("Called off by marketing.").waitFor();
  await open(`/runs/${runId}`);
  await page.getByText(/^Cancelled .*: Called off by marketing\.$/).waitFor();
  expect(complaints).toEqual([]);
});

it("leads from a run to what began it: the frame that it is a fork of, or its webhook", async () => {
  const { page, run, open, gateway, complaints } = await openConsole({
    register(host, folder) {
      host.register("tickets", tickets(folder), { webhook: { secret: SECRET, run: { enabled: true } } });
    },
  });
  const first = await run("tickets", "finished", { message: "Where is my parcel?" });
  const { runId } = await gateway.call<{ runId: string }>("forkRun", {
    runId: first,
    frameNo: 1,
    label: "again",
  });
  await open(`/runs/${runId}`);
  await page.getByText("Fork again of").waitFor();
  await page.getByRole("main").getByTitle(first).click();
  await page.waitForURL(`**/console/runs/${first}/frames?frame=1`);
  await page.getByText("a call").waitFor();
  await sendTicket(gateway.url, { message: "Can I change my address?" }, "ticket-1");
  const { runs } = await gateway.call<{ runs: { runId: string; trigger: { kind: string } }[] }>("listRuns");
  const sent = runs.find(({ trigger }) => trigger.kind === "webhook");
  await open(`/runs/${sent?.runId}`);
  await page.getByRole("link", { name: "webhook tickets" }).click();
  await page.waitForURL("**/console/webhooks");
  expect(complaints).toEqual([]);
});

it("says in the header of a run that waits that its code has changed since", async () => {
  const folder = temporaryFolder();
  const withHash = (workflowHash: string) => (host: Gateway) => {
    const workflow = choosing(folder);
    host.register("choose", { ...workflow, opts: { ...workflow.opts, workflowHash } });
  };
  const before = await openGateway(withHash("aaaa0001"), { folder });
  const { runId } = await before.call<{ runId: string }>("launchRun", { workflow: "choose" });
  await before.until(runId, "waiting-approval");
  await before.gateway.close();
  const { page, open, run } = await openConsole({ register: withHash("bbbb0002"), gateway: { folder } });
  await open(`/runs/${runId}`);
  await page.getByText("aaaa0001").waitFor();
  await page.getByText("changed since").waitFor();
  await open(`/runs/${await run("choose", "waiting-approval")}`);
  await page.getByText("bbbb0002").waitFor();
  expect(await page.getByText("changed since").count()).toBe(0);
});
