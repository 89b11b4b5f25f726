import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../src/index.js";
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

it("draws the time in the queue apart from the work, and the tree says how long each task was at work", async () => {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { page, run, open, complaints, gateway } = await openConsole({
    register(gateway, folder) {
      const { Workflow, Parallel, Task, service, outputs } = createService(
        { row: z.object({ n: z.number() }) },
        { dbPath: join(folder, "service.db") },
      );
      const workflow = service(() => (
        <Workflow name="turns">
          <Parallel maxConcurrency={1}>
            <Task id="first" output={outputs.row}>
              {() => ended.then(() => ({ n: 1 }))}
            </Task>
            <Task id="second" output={outputs.row}>
              {{ n: 2 }}
            </Task>
          </Parallel>
        </Workflow>
      ));
      gateway.register("turns", workflow);
    },
  });
  const runId = await run("turns", "running");
  await open(`/runs/${runId}`);
  const line = (name: string) => page.getByRole("treeitem").filter({ hasText: name });
  await line("first")
    .getByTitle("Time at work, all attempts together")
    .getByText(/^[1-9]\d*s$/)
    .waitFor();
  expect(await line("second").getByTitle("Time at work, all attempts together").count()).toBe(0);
  end();
  await gateway.until(runId, "finished");
  await line("second").getByTitle("Time at work, all attempts together").waitFor();
  await line("first").click();
  await page
    .getByRole("region", { name: "Task first" })
    .getByText(/^At work[\d.]+m?s$/)
    .waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  const rows = page.getByRole("region", { name: "Attempts and waits" }).getByRole("listitem");
  const queued = rows.filter({ hasText: "second" }).locator(".bar.queued");
  await queued.waitFor();
  expect(await queued.getAttribute("title")).toMatch(/^attempt 1, finished: .*, after [\d.]+s in the queue$/);
  expect(await rows.filter({ hasText: "first" }).locator(".bar.queued").count()).toBe(0);
  expect(complaints).toEqual([]);
});
