import { expect, it } from "vitest";
import { asking } from "../hosts/gateway/support/workflows.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("shows the tasks of the tree as the gateway's rows have them, and what is wrong with one", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}`);
  await page.getByRole("heading", { name: "Ship 2.1.0?" }).waitFor();
  expect(await page.getByText("waits for a decision: Ship").count()).toBe(0);
  const group = page.getByRole("treeitem", { name: "Parallel checks" });
  expect(await group.textContent()).toContain("1 failed");
  expect(await group.textContent()).toContain("4/5");
  expect(await page.getByRole("treeitem", { name: "Improve the notes" }).textContent()).toContain("3 rounds");
  await group.click();
  await page.getByRole("treeitem", { name: "Check links" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "failed" }).click();
  expect(await page.getByRole("treeitem").count()).toBe(1);
  await page.getByRole("treeitem", { name: "Check links" }).click();
  const panel = page.getByRole("region", { name: "Task links" });
  await panel.getByText("https://example.com/gone answers with 404").waitFor();
  await panel.getByText("TASK_FAILED").waitFor();
  await panel.getByText(/^What to do: Mend the code at the place that the error names/).waitFor();
});

it("is walked through with the keyboard alone", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}`);
  await page.getByRole("treeitem", { name: "Check links" }).waitFor();
  await page.getByRole("tree").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
    await page.keyboard.press(key);
  await page.getByRole("region", { name: "Task links" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("unit-2");
  await expect.poll(() => page.getByRole("treeitem").count()).toBe(1);
});

it("runs a task again after it has said what that resets", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("import-orders", "failed");
  await open(`/runs/${runId}/nodes/fetch`);
  await page.getByRole("button", { name: "Retry task…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Run fetch again?" });
  await dialog.getByText("run again (1)").waitFor();
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect
    .poll(
      async () =>
        (await gateway.call<{ attempts: unknown[] }>("getNode", { runId, nodeId: "fetch" })).attempts,
    )
    .toHaveLength(2);
  await page.getByRole("tab", { name: "attempts (2)" }).click();
  await sees(page, "Attempt 2");
});

it("leads from what was done to the event that records it", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("import-orders", "failed");
  await open(`/runs/${runId}/nodes/fetch`);
  await page.getByRole("button", { name: "Retry task…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Retry" }).click();
  const notice = page.getByRole("status").filter({ hasText: "fetch runs again." });
  await notice.getByRole("link", { name: /^Event \d+$/ }).click();
  await page.getByRole("heading", { name: /^Event \d+: RetryTaskStarted$/ }).waitFor();
  await notice.waitFor({ state: "detached" });
});

it("shows the event that a notice leads to, whatever events were chosen before", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}/events?category=timer`);
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the run" }).click();
  const notice = page
    .getByRole("status")
    .filter({ hasText: "Your request to cancel the run has been kept." });
  await notice.getByRole("link").click();
  await page.getByRole("heading", { name: /^Event \d+: RunCancelled$/ }).waitFor();
  await page.getByRole("button", { name: /RunCancelled/ }).waitFor();
});

it("sends the signal that the run waits for, written in the controls of its schema or as JSON", async () => {
  const { page, run, open, gateway } = await openConsole({
    register: (gateway, folder) => gateway.register("ask", asking(folder)),
  });
  const runId = await run("ask", "waiting-approval");
  await gateway.call("submitApproval", { runId, nodeId: "gate", approved: true });
  await gateway.until(runId, "waiting-event");
  await open(`/runs/${runId}`);
  await page.getByRole("button", { name: "Send signal…" }).click();
  const send = page.getByRole("button", { name: "Send", exact: true });
  const control = page.getByLabel("n", { exact: true });
  await send.click();
  await expect.poll(() => control.getAttribute("aria-invalid")).toBe("true");
  await control.fill("1.5");
  await page.getByRole("button", { name: "As JSON" }).click();
  const data = page.getByLabel("Data, as JSON");
  expect(JSON.parse(await data.inputValue())).toEqual({ n: 1.5 });
  await data.fill("{");
  await page.getByRole("button", { name: "As a form" }).click();
  await sees(page, /This is not JSON/);
  await data.fill('{"n": 7}');
  await page.getByRole("button", { name: "As a form" }).click();
  expect(await control.inputValue()).toBe("7");
  await send.click();
  await gateway.until(runId, "finished");
  await sees(page, "succeeded");
});

it("cancels the run with a reason, and asks before", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("choose", "waiting-approval");
  await open(`/runs/${runId}`);
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByLabel("Reason (optional)").fill("wrong region");
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await gateway.until(runId, "cancelled");
  await page.getByRole("button", { name: "Resume…" }).first().waitFor();
  const { events } = await gateway.call<{ events: { event: { reason?: string } }[] }>("listEvents", {
    runId,
    types: ["RunCancelled"],
  });
  expect(events[0]?.event.reason).toBe("wrong region");
});

it("finds events by text, by expression and by type, and opens one by its number", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}/events`);
  const asked = page.getByRole("button", { name: /ApprovalRequested/ });
  await asked.waitFor();
  const events = page.getByRole("region", { name: "List of events" }).getByRole("button");
  await page.getByRole("button", { name: "newest first" }).click();
  await page.getByLabel("Times").selectOption("since");
  await expect.poll(() => events.first().textContent()).toMatch(/^0\+0ms/);
  await page.getByLabel("Times").selectOption("utc");
  await expect.poll(() => events.first().textContent()).toMatch(/^0\d\d:\d\d:\d\d\.\d{3}Z/);
  const field = page.getByRole("searchbox", { name: /Find in events/ });
  await field.fill("/answers with \\d+/");
  await page.getByRole("button", { name: /NodeFailed/ }).waitFor();
  await asked.waitFor({ state: "detached" });
  await field.fill("");
  await page.getByLabel("Category of the events").selectOption("approval");
  await asked.waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Node/ }).count()).toBe(0);
  await page.getByLabel("Category of the events").selectOption("run");
  await page.getByLabel("Type of the events").selectOption("LoopFinished");
  await expect
    .poll(() => page.getByRole("region", { name: "List of events" }).getByRole("listitem").count())
    .toBe(1);
  await page.getByRole("button", { name: /LoopFinished/ }).click();
  await page.getByRole("heading", { name: /^Event \d+: LoopFinished/ }).waitFor();
  expect(page.url()).toMatch(/\/events\?seq=\d+$/);
  await open(`/runs/${runId}/events?seq=0`);
  await page.getByRole("heading", { name: /^Event 0:/ }).waitFor();
  await open(`/runs/${runId}/events?seq=99999`);
  await sees(page, "The run has no such event.");
});

it("steps through the frames with the arrow keys, and shows what had ended by each of them", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  const { frames } = await gateway.call<{ frames: { frameNo: number }[] }>("listFrames", { runId, limit: 1 });
  const newest = frames[0]?.frameNo as number;
  await open(`/runs/${runId}/frames?frame=1`);
  const slider = page.getByRole("slider", { name: "Frame" });
  await sees(page, "The first frame.");
  const lint = page.getByRole("treeitem", { name: "lint" });
  await lint.waitFor();
  expect(await lint.textContent()).not.toContain("finished");
  expect(await page.getByRole("treeitem", { name: "Parallel checks" }).textContent()).toContain("0/5");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "Frame 2" }).waitFor();
  expect(page.url()).toContain("/frames?frame=2");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "Frame 1" }).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("heading", { name: `Frame ${newest}` }).waitFor();
  await expect
    .poll(() => page.getByRole("treeitem", { name: "Check the style" }).textContent())
    .toContain("finished");
  await page.getByRole("region", { name: "Changes since the frame before" }).waitFor();
});

it("forks a frame, and rewinds to one, after it has said what becomes of each task", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("import-orders", "failed");
  await open(`/runs/${runId}/frames?frame=1`);
  await page.getByRole("button", { name: "Fork…" }).click();
  const fork = page.getByRole("alertdialog", { name: "Fork frame 1?" });
  await fork.getByText("fetch::0").waitFor();
  await fork.getByLabel("Name (optional)").fill("again");
  await fork.getByRole("button", { name: "Fork" }).click();
  await page.waitForURL((url) => !url.pathname.includes(runId));
  const made = new URL(page.url()).pathname.split("/").at(-1) as string;
  expect(await gateway.call("listEvents", { runId: made, types: ["RunForked"] })).toMatchObject({
    events: [{ event: { parentRunId: runId, parentFrameNo: 1, branchLabel: "again" } }],
  });
  await open(`/runs/${runId}/frames?frame=1`);
  await page.getByRole("button", { name: "Rewind…" }).click();
  const rewind = page.getByRole("alertdialog", { name: "Rewind to frame 1?" });
  await rewind.getByText("Lose their rows and run again (1)").waitFor();
  await rewind.getByRole("button", { name: "Rewind" }).click();
  await rewind.waitFor({ state: "detached" });
  expect(await gateway.call("getNode", { runId, nodeId: "fetch" })).toMatchObject({
    node: { state: "pending" },
  });
});
