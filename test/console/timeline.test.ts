import { expect, it } from "vitest";
import { INPUT, openConsole } from "./support/scene.js";

it("shows attempts and waits as they were, grows with the run, and has a task beside it", async () => {
  const { page, run, open, complaints, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}`);
  await page.getByRole("link", { name: "Timeline" }).click();
  const rows = page.getByRole("region", { name: "Attempts and waits" }).getByRole("listitem");
  await rows
    .filter({ hasText: "ship" })
    .getByTitle(/^waits for approval: .* to now/)
    .waitFor();
  await rows
    .filter({ hasText: "Check links" })
    .getByTitle(/^attempt 1, failed: /)
    .waitFor();
  await rows.filter({ hasText: "Improve the notes · round 3" }).waitFor();
  await gateway.call("submitApproval", { runId, nodeId: "ship", approved: true });
  await rows
    .filter({ hasText: "Publish" })
    .getByTitle(/^attempt 1, finished: /)
    .waitFor();
  await rows
    .filter({ hasText: "ship" })
    .getByTitle(/^attempt 1, finished: /)
    .waitFor();
  expect(
    await rows
      .filter({ hasText: "ship" })
      .getByTitle(/to now/)
      .count(),
  ).toBe(0);
  const round = page.getByRole("spinbutton", { name: "Round" });
  await round.fill("3");
  await expect.poll(() => rows.count()).toBe(1);
  await round.fill("");
  await page.getByRole("button", { name: "critical path" }).click();
  await rows.filter({ hasText: "Publish" }).waitFor();
  await page.getByRole("button", { name: "failed", exact: true }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.filter({ hasText: "Check links" }).waitFor();
  await page.getByRole("button", { name: "all", exact: true }).click();
  const scroller = page.getByRole("region", { name: "Attempts and waits" });
  const out = page.getByRole("button", { name: "Zoom out" });
  expect(await out.isDisabled()).toBe(true);
  await scroller.focus();
  await page.keyboard.press("+");
  await out.click();
  await expect.poll(() => out.isDisabled()).toBe(true);
  await rows.filter({ hasText: "Check links" }).getByRole("link").focus();
  await page.getByText(/^Check links attempt 1, failed: .* to .*s$/).waitFor();
  await page.getByRole("link", { name: "Improve the notes · round 2" }).click();
  await page.getByRole("region", { name: "Task improve" }).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/runs/${runId}/timeline/improve?round=2`);
  expect(complaints).toEqual([]);
});
