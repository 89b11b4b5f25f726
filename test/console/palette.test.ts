import { expect, it } from "vitest";
import { INPUT, openConsole } from "./support/scene.js";

it("finds views, runs by the beginning of their id, workflows and the actions of the open run, by keys alone", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  for (let index = 0; index < 6; index += 1) await run("import-orders", "failed");
  await open("/inbox");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  const field = page.getByRole("combobox", { name: /A view, a run/ });
  const press = async (text: string, option: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type(text);
    await page.getByRole("option", { name: option }).and(page.locator("[data-highlighted]")).waitFor();
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "detached" });
  };
  await press("sched", "Runs: Scheduled");
  expect(page.url()).toBe(`${gateway.url}/console/runs?view=scheduled`);
  await press(runId.slice(0, 8), new RegExp(`^${runId}`));
  expect(page.url()).toBe(`${gateway.url}/console/runs/${runId}`);
  await press("graph", "Graph");
  expect(page.url()).toBe(`${gateway.url}/console/runs/${runId}/graph`);
  await press("start rel", /^Start Release/);
  expect(page.url()).toBe(`${gateway.url}/console/catalog/release`);
  await open(`/runs/${runId}`);
  await page.getByRole("heading", { name: "release" }).waitFor();
  await press("canc", "Cancel…");
  await page
    .getByRole("alertdialog", { name: "Cancel the run?" })
    .getByRole("button", { name: "Back" })
    .click();

  // Away again, and back where one was.
  await page.getByRole("button", { name: "Go to…" }).click();
  await field.fill("no such thing");
  await page.getByText("Nothing is called like this.").waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Go to…");
  expect(complaints).toEqual([]);
});

it("shows what the token may not do, disabled, with the scope that it needs", async () => {
  const tokens = { look: { role: "viewer", scopes: ["run:read"] } };
  const { page } = await openConsole({ gateway: { auth: { mode: "token", tokens } } });
  await page.getByLabel("Token").fill("look");
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.keyboard.press("Control+k");
  const start = page.getByRole("option", { name: "Start Release" });
  await start.getByText("needs run:write").waitFor();
  expect(await start.getAttribute("aria-disabled")).toBe("true");
});
