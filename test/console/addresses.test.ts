import { expect, it } from "vitest";
import { choosing, release } from "./support/release.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("every view has an address that can be opened, reloaded and gone back from", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open("");
  await page.getByRole("link", { name: runId, exact: true }).click();
  await page.getByRole("treeitem", { name: "Check links" }).click();
  const address = `${gateway.url}/console/runs/${runId}/nodes/links`;
  expect(page.url()).toBe(address);
  await page.getByRole("tab", { name: "output" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "Check links" }).waitFor();
  expect(page.url()).toBe(`${address}?tab=output`);
  expect(await page.getByRole("tab", { name: "output" }).getAttribute("aria-selected")).toBe("true");
  await page.goBack();
  await page.getByRole("region", { name: "Task links" }).waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("heading", { name: "Runs" }).waitFor();
});

it("each view of the navigation is answered by the gateway itself", async () => {
  const { page, gateway } = await openConsole();
  for (const name of ["Runs", "Inbox", "Workflows", "Schedules", "Status"]) {
    await page.getByRole("link", { name }).first().click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    expect((await fetch(page.url())).status).toBe(200);
  }
  expect((await fetch(`${gateway.url}/console/elsewhere`)).status).toBe(404);
});

it("a page at the root and the page of a workflow have such addresses, too", async () => {
  const { page, gateway, run } = await openConsole({
    gateway: { ui: true, operatorUi: false },
    register(gateway, folder) {
      gateway.register("release", release(folder), { ui: true });
      gateway.register("choose", choosing(folder));
    },
  });
  const runId = await run("release", "waiting-approval", INPUT);
  await run("choose", "waiting-approval");
  await page.goto(`${gateway.url}/`);
  await page.getByRole("link", { name: runId, exact: true }).click();
  expect(page.url()).toBe(`${gateway.url}/runs/${runId}`);
  await page.reload();
  await sees(page, "waits for approval");
  await page.goto(`${gateway.url}/workflows/release`);
  await page.getByRole("link", { name: runId, exact: true }).click();
  expect(page.url()).toBe(`${gateway.url}/workflows/release/runs/${runId}`);
  await page.reload();
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("form", { name: "Ship 2.1.0?" }).waitFor();
  expect(await page.getByRole("form").count()).toBe(1);
});
