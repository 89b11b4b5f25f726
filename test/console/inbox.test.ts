import { expect, it } from "vitest";
import { openPage } from "./support/browser.js";
import { registerDesk } from "./support/desk.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("approves with a note, and says that the answer was kept", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open("/inbox");
  const form = page.getByRole("form", { name: "Ship 2.1.0?" });
  await form.getByLabel("Note (optional)").fill("looks right");
  await form.getByRole("button", { name: "Approve" }).click();
  await sees(page, "Your answer to “Ship 2.1.0?” has been kept.");
  await gateway.until(runId, "finished");
  const { output } = await gateway.call<{ output: object }>("getNode", { runId, nodeId: "ship" });
  expect(output).toMatchObject({ approved: true, note: "looks right" });
  await page.getByText("Decided (1)").click();
  const decided = page.getByRole("listitem").filter({ hasText: runId });
  await decided.getByText("“looks right”").waitFor();
  await page.getByRole("status").getByRole("link", { name: "Its events" }).click();
  await page.getByRole("button", { name: /ApprovalGranted/ }).waitFor();
  expect(await page.getByRole("button", { name: /NodeFinished/ }).count()).toBe(0);
  await open(`/runs/${runId}`);
  await page.getByText("Decided (1)").click();
  await page.getByRole("listitem").filter({ hasText: "Ship 2.1.0?" }).getByText("“looks right”").waitFor();
});

it("denies only after a second word that names the request and its run", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open("/inbox");
  await page.getByRole("button", { name: "Deny…" }).click();
  const question = page.getByRole("group", { name: `Deny “Ship 2.1.0?” of run ${runId}?` });
  await question.getByRole("button", { name: "Yes, deny" }).click();
  await gateway.until(runId, "failed");
});

it("takes one of several options, and none without a choice", async () => {
  const { page, run, open, gateway } = await openConsole();
  const runId = await run("choose", "waiting-approval");
  await open("/inbox");
  await page.getByRole("button", { name: "Approve" }).click();
  await sees(page, "Choose one of the options first.");
  await page.getByLabel("United States").check();
  await page.getByRole("button", { name: "Approve" }).click();
  await gateway.until(runId, "finished");
  const { output } = await gateway.call<{ output: object }>("getNode", { runId, nodeId: "region" });
  expect(output).toMatchObject({ selected: "us" });
});

it("keeps what is half written through a reload", async () => {
  const { page, run, open } = await openConsole();
  await run("choose", "waiting-approval");
  await open("/inbox");
  const note = page.getByLabel("Note (optional)");
  await note.fill("half a sen");
  await page.reload();
  await note.waitFor();
  expect(await note.inputValue()).toBe("half a sen");
});

it("says so in a second tab when the first one decides", async () => {
  const { page, run, open, gateway } = await openConsole();
  await run("release", "waiting-approval", INPUT);
  await open("/inbox");
  const other = await openPage(`${gateway.url}/console/inbox`);
  await other.page.getByRole("form", { name: "Ship 2.1.0?" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await sees(other.page, /“Ship 2.1.0\?” waits no more: another person decided it/);
});

it("asks a person for a row by a control for each part of it, and says at each what does not fit", async () => {
  const { page, run, open, gateway, complaints } = await openConsole({ register: registerDesk });
  const runId = await run("desk", "waiting-approval");
  await open("/inbox");
  await page.getByLabel("text").fill("On its way.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("alert").waitFor();
  const mood = page.getByLabel("mood");
  await expect.poll(() => mood.getAttribute("aria-invalid")).toBe("true");
  await mood.selectOption("calm");
  await page.getByRole("button", { name: "Add to sources" }).click();
  await page.keyboard.type("manual");
  await page.getByRole("button", { name: "Send" }).click();
  await gateway.until(runId, "finished");
  const { output } = await gateway.call<{ output: object }>("getNode", { runId, nodeId: "answer" });
  expect(output).toMatchObject({ text: "On its way.", mood: "calm", sources: ["manual"] });
  expect(complaints).toEqual([]);
});
