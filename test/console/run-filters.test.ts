import { expect, it } from "vitest";
import { bearer } from "../hosts/gateway/support/gateway.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("lists runs with failures, and those that wait, as the address says; a list keeps its name in the browser", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  const good = await run("release", "waiting-approval", INPUT);
  await gateway.call("submitApproval", { runId: good, nodeId: "ship", approved: true });
  await gateway.until(good, "finished");
  const asks = await run("choose", "waiting-approval");
  const failed = await run("import-orders", "failed");
  const listed = (runId: string) => page.getByRole("link", { name: runId, exact: true });
  const only = page.getByRole("navigation", { name: "Only runs", exact: true });
  const waits = page.getByRole("navigation", { name: "Runs that wait for" });
  await open("/runs");
  await listed(asks).waitFor();
  await only.getByRole("link", { name: "With failures" }).focus();
  await page.keyboard.press("Enter");
  await listed(asks).waitFor({ state: "detached" });
  await listed(good).waitFor();
  await listed(failed).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/runs?only=failures`);
  await only.getByRole("link", { name: "With failures" }).click();
  await waits.getByRole("link", { name: "a person" }).click();
  await listed(good).waitFor({ state: "detached" });
  await waits.getByRole("link", { name: "quota" }).click();
  expect(page.url()).toBe(`${gateway.url}/console/runs?waits=approval%2Cquota`);
  await only.getByRole("link", { name: "Needs me" }).click();
  await listed(asks).waitFor();
  await page.getByRole("button", { name: "Save this view…" }).click();
  await page.keyboard.type("My morning");
  await page.keyboard.press("Enter");
  const saved = page.getByRole("navigation", { name: "Saved views" });
  await saved.getByRole("link", { name: "Failed 24 h" }).click();
  await listed(failed).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/runs?view=failed&since=24h`);
  await page.reload();
  await saved.getByRole("link", { name: "My morning" }).click();
  await listed(asks).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/runs?only=me&waits=approval%2Cquota`);
  await page.getByRole("button", { name: "Forget this view" }).click();
  await saved.getByRole("link", { name: "My morning" }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

it("finds runs by a text and by an annotation, and leads from an annotation to the others that have it", async () => {
  const { page, open, gateway, complaints } = await openConsole();
  const launch = async (runId: string, version: string, team: string) => {
    const input = { ...INPUT, version };
    await gateway.call("launchRun", { workflow: "release", runId, input, annotations: { team } });
    await gateway.until(runId, "waiting-approval");
  };
  await launch("one", "4.7.11", "core");
  await launch("two", "5.0.0", "core");
  await launch("three", "4.7.11-next", "edge");
  const listed = (runId: string) => page.getByRole("link", { name: runId, exact: true });
  await open("/runs");
  await listed("two").waitFor();
  await page.getByLabel("Text in id or input").fill("4.7.11");
  await page.keyboard.press("Enter");
  await listed("two").waitFor({ state: "detached" });
  await listed("three").waitFor();
  await page.getByLabel("Annotation, as name=value").fill("team=core");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await listed("three").waitFor({ state: "detached" });
  expect(page.url()).toBe(`${gateway.url}/console/runs?text=4.7.11&annotation=team%3Dcore`);
  await page.reload();
  await listed("one").click();
  await page.getByRole("link", { name: "core", exact: true }).click();
  await listed("two").waitFor();
  expect(await listed("three").count()).toBe(0);
  await page.getByRole("button", { name: "Runs with any annotation" }).click();
  await listed("three").waitFor();
  expect(complaints).toEqual([]);
});

it("says what a run waits for, what began it and what failed in it, and names what the token lacks to be needed", async () => {
  const tokens = {
    all: { role: "lead", scopes: ["*"], userId: "ada" },
    reads: { role: "viewer", scopes: ["run:read"], userId: "eve" },
  };
  const { page, run } = await openConsole({
    gateway: { auth: { mode: "token", tokens } },
    headers: bearer("all"),
  });
  const runId = await run("release", "waiting-approval", INPUT);
  await page.getByLabel("Token").fill("reads");
  await page.getByRole("button", { name: "Use this token" }).click();
  const row = page.getByRole("row").filter({ hasText: runId });
  await row.getByText(/^Ship 2\.1\.0\?, for/).waitFor();
  await row.getByText("10, 1 failed").waitFor();
  await row.getByText("ada").waitFor();
  const needsMe = page.getByRole("button", { name: "Needs me needs approval:submit" });
  await needsMe.waitFor();
  expect(await needsMe.isDisabled()).toBe(true);
});

it("holds back new runs while the pointer is in the list, says how many, and shows them when it is asked", async () => {
  const { page, run } = await openConsole();
  const first = await run("choose", "waiting-approval");
  const listed = (runId: string) => page.getByRole("link", { name: runId, exact: true });
  await listed(first).hover();
  const second = await run("choose", "waiting-approval");
  const more = page.getByRole("button", { name: "1 new run" });
  await more.waitFor();
  expect(await listed(second).count()).toBe(0);
  await more.click();
  await listed(second).waitFor();
  await more.waitFor({ state: "detached" });
});

it("keeps what became of many runs when another view is looked at, names the refused, and tries these again", async () => {
  const { page, run, gateway } = await openConsole();
  const open = await run("choose", "waiting-approval");
  const failed = await run("import-orders", "failed");
  await page.getByRole("link", { name: failed, exact: true }).waitFor();
  for (const runId of [open, failed]) await page.getByLabel(`Select run ${runId}`).check();
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel 2" }).click();
  await sees(page, "Cancel: 1 of 2 done, 1 refused");
  await gateway.until(open, "cancelled");
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const outcome = page.getByRole("region", { name: "Cancel of many runs" });
  await outcome.getByRole("link", { name: failed }).waitFor();
  await outcome.getByRole("button", { name: "Try it again" }).click();
  await outcome.getByText("Cancel: 0 of 1 done, 1 refused").waitFor();
  await outcome.getByRole("button", { name: "Dismiss" }).click();
  await outcome.waitFor({ state: "detached" });
});
