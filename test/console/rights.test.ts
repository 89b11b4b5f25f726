import { expect, it } from "vitest";
import { bearer } from "../hosts/gateway/support/gateway.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

const tokens = {
  all: { role: "lead", scopes: ["*"], userId: "ada" },
  reads: { role: "viewer", scopes: ["run:read"], userId: "eve" },
};

it("asks for a token, refuses a wrong one, and shows who may not act what they lack", async () => {
  const { page, run, open } = await openConsole({
    gateway: { auth: { mode: "token", tokens } },
    headers: bearer("all"),
  });
  const runId = await run("release", "waiting-approval", INPUT);
  await page.getByLabel("Token").fill("guessed");
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Token").fill("reads");
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("link", { name: runId, exact: true }).click();
  const approve = page.getByRole("button", { name: "Approve" });
  await expect.poll(() => approve.isDisabled()).toBe(true);
  expect(await approve.textContent()).toContain("needs approval:submit");
  expect(await page.getByRole("button", { name: /^Cancel…/ }).textContent()).toContain("needs run:write");
  await sees(page, "eve");
  await page.getByRole("link", { name: "Frames" }).click();
  const fork = page.getByRole("button", { name: /^Fork…/ });
  expect(await fork.textContent()).toContain("needs run:admin");
  expect(await fork.isDisabled()).toBe(true);
  await open("/status");
  await page.getByRole("row", { name: "launchRun run:write" }).waitFor();
});

it("takes the token out of the link that it was opened with", async () => {
  const { page, gateway } = await openConsole({ gateway: { auth: { mode: "token", tokens } } });
  await page.goto(`${gateway.url}/console/inbox#token=all`);
  await sees(page, "Nothing waits for a decision.");
  expect(page.url()).toBe(`${gateway.url}/console/inbox`);
});
