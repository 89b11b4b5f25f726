import { expect, it } from "vitest";
import { release } from "./support/release.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

it("starts a run with a control for each member of the input, and says what is missing", async () => {
  const { page, gateway } = await openConsole();
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("link", { name: "Release" }).click();
  await page.getByLabel("version").fill("3.0.0");
  await page.getByRole("button", { name: "Start" }).click();
  await sees(page, "This is needed.");
  await page.getByLabel("channel").selectOption("beta");
  await page.getByLabel(/^parts/).fill("2");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/console\/runs\//);
  const runId = page.url().split("/").at(-1);
  const { input } = await gateway.call<{ input: object }>("inspectRun", { runId });
  expect(input).toEqual({ version: "3.0.0", channel: "beta", parts: 2 });
});

it("begins with the input of an earlier run, as a form or as JSON, and shows what the gateway refuses", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}`);
  await page.getByRole("button", { name: "Run again…" }).click();
  await page.getByLabel("version").waitFor();
  expect(await page.getByLabel("version").inputValue()).toBe("2.1.0");
  await page.getByRole("button", { name: "As JSON" }).click();
  const json = page.getByLabel("Input, as JSON");
  expect(JSON.parse(await json.inputValue())).toEqual(INPUT);
  await json.fill('{"version": 3}');
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(/version/);
});

it("lists files that give no workflow beside those that do, with why, and nothing of theirs is obeyed", async () => {
  const { page } = await openConsole({
    register(gateway, folder) {
      gateway.register("release", release(folder));
      gateway.registerBroken("torn", "<b>torn</b>.tsx", new Error('Expected ">"\n> 1 | a line of code'));
    },
  });
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("heading", { name: "Files that give no workflow" }).waitFor();
  await sees(page, "<b>torn</b>.tsx");
  await sees(page, 'Expected ">"');
  expect(await page.getByText("a line of code").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Release" }).count()).toBe(1);
});
