import { expect, it } from "vitest";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("lists runs as they come, says what is behind a good end, and keeps its filters in the address", async () => {
  const { page, run, gateway } = await openConsole();
  await sees(page, "No run yet");
  const runId = await run("release", "waiting-approval", INPUT);
  await page.getByRole("link", { name: runId, exact: true }).waitFor();
  await gateway.call("submitApproval", { runId, nodeId: "ship", approved: true });
  await sees(page, "succeeded with 1 failed");
  const failed = await run("import-orders", "failed");
  await sees(page, "connect ECONNREFUSED 10.0.0.7:5432");
  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await page.getByRole("link", { name: runId, exact: true }).waitFor({ state: "detached" });
  expect(page.url()).toBe(`${gateway.url}/console/runs?view=failed`);
  await page.getByRole("link", { name: failed, exact: true }).click();
  await page.goBack();
  await page.getByRole("link", { name: failed, exact: true }).waitFor();
  expect(page.url()).toContain("view=failed");
});

it("stays as it is while it is paused, and says that there is more", async () => {
  const { page, run } = await openConsole();
  const first = await run("choose", "waiting-approval");
  await page.getByRole("link", { name: first, exact: true }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  const second = await run("choose", "waiting-approval");
  const more = page.getByRole("button", { name: "Show what has changed" });
  await more.waitFor();
  expect(await page.getByRole("link", { name: second, exact: true }).count()).toBe(0);
  await more.click();
  await page.getByRole("link", { name: second, exact: true }).waitFor();
});

it("cancels and deletes the chosen runs after a question that counts them, and says what became of each", async () => {
  const { page, run, gateway } = await openConsole();
  const open = [await run("choose", "waiting-approval"), await run("choose", "waiting-approval")];
  const failed = await run("import-orders", "failed");
  await page.getByRole("link", { name: failed, exact: true }).waitFor();
  for (const runId of [...open, failed]) await page.getByLabel(`Select run ${runId}`).check();
  await page.getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Cancel 3 runs?" });
  await dialog.getByText("the list “All”").waitFor();
  await dialog.getByRole("button", { name: "Cancel 3" }).click();
  await sees(page, "Cancel: 2 of 3 done, 1 refused");
  for (const runId of open) await gateway.until(runId, "cancelled");
  await page.getByRole("button", { name: "Delete…" }).click();
  const last = page.getByRole("alertdialog", { name: "Delete 3 runs?" });
  await last.getByText("the list “All”").waitFor();
  await last.getByText("It cannot be undone.").waitFor();
  await last.getByRole("button", { name: "Delete 3" }).click();
  await sees(page, "Delete: 3 of 3 done");
  await sees(page, "No run yet");
  expect((await gateway.call<{ runs: unknown[] }>("listRuns")).runs).toEqual([]);
});

it("opens a run by the beginning of its id, and says so when there is none", async () => {
  const { page, run } = await openConsole();
  const runId = await run("import-orders", "failed");
  const field = page.getByRole("searchbox", { name: /Open a run/ });
  await field.fill("zzzzzzz");
  await field.press("Enter");
  await page.getByRole("alert").waitFor();
  await field.fill(runId.slice(0, 8));
  await field.press("Enter");
  await page.getByRole("heading", { name: "import-orders" }).waitFor();
});

it("has a task that failed skipped, or completed in the form of its row, and the run goes on", async () => {
  const { page, run, gateway, open } = await openConsole();
  const [first, second] = [await run("import-orders", "failed"), await run("import-orders", "failed")];
  await open(`/runs/${first}/nodes/fetch`);
  await page.getByRole("button", { name: "Complete by hand…" }).click();
  const form = page.getByRole("alertdialog", { name: "Complete fetch by hand?" });
  await form.getByRole("button", { name: "Complete the task" }).click();
  await form.getByText("This is needed.").waitFor();
  await form.getByRole("textbox").first().fill("7");
  await form.getByLabel("Note (optional)").fill("by phone");
  await form.getByRole("button", { name: "Complete the task" }).click();
  await form.waitFor({ state: "detached" });
  await gateway.until(first, "finished");
  expect(await gateway.call("getNode", { runId: first, nodeId: "fetch" })).toMatchObject({
    output: { n: 7 },
  });

  await open(`/runs/${second}/nodes/fetch`);
  await page.getByRole("button", { name: "Skip…" }).click();
  const skip = page.getByRole("alertdialog", { name: "Skip fetch?" });
  await skip.getByLabel("Reason (optional)").fill("not today");
  await skip.getByRole("button", { name: "Skip the task" }).click();
  await gateway.until(second, "finished");
  await sees(page, "Skipped");
  expect(await page.getByRole("button", { name: "Skip…" }).count()).toBe(0);
});
