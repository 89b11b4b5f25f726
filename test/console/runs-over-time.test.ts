import { expect, it } from "vitest";
import { openConsole } from "./support/scene.js";

it("shows all runs of the list over time as the gateway counts them, lists those of a bar, and retries the failed", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  const failed = [await run("import-orders", "failed"), await run("import-orders", "failed")];
  const waiting = await run("choose", "waiting-approval");
  await open("/runs");
  const overTime = page.getByRole("region", { name: "Runs over time" });
  await overTime
    .getByRole("listitem")
    .filter({ hasText: /^failed 2$/ })
    .waitFor();
  await overTime
    .getByRole("listitem")
    .filter({ hasText: /^waits for approval 1$/ })
    .waitFor();

  // One stop of the Tab key; arrows go on from there.
  const bars = overTime.getByRole("link", { name: /2 failed|1 failed/ });
  await bars.first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Runs of any time" }).waitFor();
  expect(page.url()).toMatch(/\?from=\d+&until=\d+$/);
  await page.getByRole("link", { name: failed[0] as string, exact: true }).waitFor();
  await page.getByRole("button", { name: "Runs of any time" }).click();

  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await overTime.getByText("waits for approval").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "24 h", exact: true }).click();
  expect(page.url()).toBe(`${gateway.url}/console/runs?view=failed&since=24h`);
  await open(`/runs?since=24h`);
  for (const runId of [...failed, waiting]) await page.getByLabel(`Select run ${runId}`).check();
  await page.getByRole("button", { name: "Retry 2 failed…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Retry 2 failed runs?" });
  await dialog.getByRole("button", { name: "Copy the command for a terminal" }).waitFor();
  await dialog.getByRole("button", { name: "Retry 2" }).click();
  await page.getByText("Retry: 2 of 2 done").waitFor();
  for (const runId of failed) {
    const node = () => gateway.call<{ attempts: unknown[] }>("getNode", { runId, nodeId: "fetch" });
    await expect.poll(async () => (await node()).attempts.length).toBe(2);
  }
  expect(complaints).toEqual([]);
});

it("lists what the clock starts next, and what became of what it was to start", async () => {
  const { page, open, gateway } = await openConsole();
  const cron = { workflow: "choose", pattern: "0 6 * * *", cronId: "each-morning" };
  await gateway.call("cronCreate", cron);
  const { runId } = await gateway.call<{ runId: string }>("cronRun", { cronId: "each-morning" });
  await open("/runs?view=scheduled");
  const next = page.getByRole("row").filter({ hasText: "each-morning" });
  await next.first().waitFor();
  // Five times of this one, and what was asked for by hand.
  expect(await next.count()).toBe(6);
  await page
    .getByRole("row")
    .filter({ hasText: "started" })
    .getByRole("link", { name: runId.slice(0, 24) })
    .waitFor();
});
