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

it("takes an earlier input and run options, keeps what is written through a reload, and has the command for it", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  await run("release", "waiting-approval", { ...INPUT, version: "1.0.0" });
  await run("release", "waiting-approval", { ...INPUT, version: "1.0.0" });
  await run("release", "waiting-approval", { ...INPUT, version: "1.1.0" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("/catalog/release");
  const earlier = page.getByLabel("Earlier inputs");
  await earlier.waitFor();
  expect(await earlier.locator("option").count()).toBe(3);
  await earlier.selectOption({ index: 2 });
  expect(await page.getByLabel("version").inputValue()).toBe("1.0.0");
  await page.getByLabel("version").fill("1.2.0");
  await page.getByText("Run options").click();
  await page.getByLabel("Tasks at once").fill("none");
  await page.getByLabel("Annotations").fill('{"team":"docs"}');
  await page.reload();
  expect(await page.getByLabel("version").inputValue()).toBe("1.2.0");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await sees(page, "This is not a number from 1.");
  await page.getByLabel("Tasks at once").fill("2");
  await page.getByRole("button", { name: "Copy command" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toBe(
    `treadle up release --input '{"version":"1.2.0","channel":"stable","parts":3}' --max-concurrency 2 --annotations '{"team":"docs"}'`,
  );
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/console\/runs\//);
  const runId = page.url().split("/").at(-1);
  const { run: view, input } = await gateway.call<{ run: object; input: object }>("inspectRun", { runId });
  expect(view).toMatchObject({ annotations: { team: "docs" } });
  expect(input).toEqual({ version: "1.2.0", channel: "stable", parts: 3 });
  // It was sent: the form begins anew.
  await open("/catalog/release");
  await earlier.waitFor();
  expect(await page.getByLabel("version").inputValue()).toBe("");
  expect(complaints).toEqual([]);
});

it("shows at each field what the gateway has against it", async () => {
  const { page, open } = await openConsole();
  await open("/catalog/release");
  await page.getByLabel("version").fill("3.0.0");
  await page.getByLabel("channel").selectOption("beta");
  await page.getByLabel(/^parts/).fill("1.5");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("alert").waitFor();
  const parts = page.getByLabel(/^parts/);
  expect(await parts.getAttribute("aria-invalid")).toBe("true");
  const described = (await parts.getAttribute("aria-describedby")) as string;
  expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/integer|whole/);
});

it("says of each workflow what starts it, how its last runs went and what it begins with", async () => {
  const { page, run, open, gateway, complaints } = await openConsole();
  const failed = await run("import-orders", "failed");
  const good = await run("release", "waiting-approval", INPUT);
  await gateway.call("submitApproval", { runId: good, nodeId: "ship", approved: true });
  await gateway.until(good, "finished");
  await open("/catalog");
  const card = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await card("Release").getByText("100 %").waitFor();
  await card("Release").getByText(/next/).waitFor();
  await card("import-orders").getByText("0 %").waitFor();
  await card("choose").getByText("No run in 30 days.").waitFor();
  await card("import-orders")
    .getByRole("link", { name: new RegExp(`^${failed}: failed`) })
    .click();
  await page.getByRole("heading", { name: "import-orders" }).waitFor();
  await open("/catalog/choose");
  await page.getByRole("region", { name: "Graph of the first frame" }).getByText("region").waitFor();
  expect(complaints).toEqual([]);
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
