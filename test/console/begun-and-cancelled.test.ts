import { expect, it } from "vitest";
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
