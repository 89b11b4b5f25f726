import { expect, it } from "vitest";
import { registerPlan as register, WRITTEN } from "./support/plan.js";
import { openConsole, sees } from "./support/scene.js";

it("asks for each part of a nested input by a control, and starts the run with what is written in them", async () => {
  const { page, open, gateway, complaints } = await openConsole({ register });
  await open("/catalog/plan");
  const start = page.getByRole("button", { name: "Start", exact: true });
  const group = (name: string) => page.getByRole("group", { name: new RegExp(`^${name}`) });
  await group("customer").getByLabel("name").fill("Ada");
  await page.getByLabel("Kind of email").selectOption("nothing (null)");
  await page.getByRole("button", { name: "Add to steps" }).click();
  // Who adds one writes it next.
  await page.keyboard.type("first");
  await page.getByRole("button", { name: "Add to steps" }).click();
  await page.keyboard.type("second");
  await group("steps 2").getByLabel("minutes").fill("five");
  await page.getByRole("button", { name: "Add to to" }).click();
  await page.getByRole("textbox", { name: "to 1" }).fill("ada@example.com");
  await page.getByLabel("Next key").fill("team name");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "team name" }).fill("docs");
  await page.getByLabel("limit: number").fill("2.5");
  await page.getByRole("button", { name: "Add address" }).click();
  await page.getByLabel("city").fill("London");
  await page.getByLabel("note").fill("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.getByLabel("extra").fill('{"free": [1]}');
  await start.click();
  await sees(page, "This is not a number.");
  await group("steps 2").getByLabel("minutes").fill("5");
  await group("steps").getByRole("button", { name: "Move 2 up" }).click();
  await start.click();
  await page.waitForURL(/\/console\/runs\//);
  const runId = page.url().split("/").at(-1);
  const run = await gateway.call<{ input: object }>("inspectRun", { runId });
  expect(run.input).toEqual(WRITTEN);
  expect(complaints).toEqual([]);
});

it("shows an earlier nested input in its controls, and at each part what the gateway has against it", async () => {
  const { page, run, open, complaints } = await openConsole({ register });
  const runId = await run("plan", "finished", WRITTEN);
  await open(`/catalog/plan?from=${runId}`);
  const group = (name: string) => page.getByRole("group", { name: new RegExp(`^${name}`) });
  await group("steps 1").getByLabel("title").waitFor();
  expect(await page.getByRole("textbox", { name: "to 1" }).inputValue()).toBe("ada@example.com");
  expect(await page.getByRole("textbox", { name: "team name" }).inputValue()).toBe("docs");
  expect(await page.getByLabel("note").inputValue()).toBe("one\ntwo");
  await group("customer").getByLabel("name").fill("");
  await group("steps 2").getByLabel("title").fill("");
  await page.getByLabel("Kind of notify").selectOption("none");
  await page.getByRole("button", { name: "Leave out address" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("alert").waitFor();
  const bad = page.locator('[aria-invalid="true"]');
  expect(await bad.count()).toBe(2);
  for (const control of await bad.all()) {
    const described = (await control.getAttribute("aria-describedby")) as string;
    expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/This is needed/);
  }
  await group("customer").getByLabel("name").fill("Ada");
  await group("steps 2").getByLabel("title").fill("first");
  await page.getByLabel("minutes").first().fill("1.5");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await sees(page, /integer|whole/);
  const minutes = page.getByLabel("minutes").first();
  await expect.poll(() => minutes.getAttribute("aria-invalid")).toBe("true");
  await minutes.fill("0");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await group("steps 1").getByText("This has to be 1 or more.").waitFor();
  expect(await minutes.getAttribute("aria-invalid")).toBe("true");
  await minutes.fill("1.5");
  await page.getByRole("button", { name: "As JSON" }).click();
  expect(JSON.parse(await page.getByLabel("Input, as JSON").inputValue())).toMatchObject({
    notify: { by: "none" },
    steps: [{ title: "second", minutes: 1.5 }, { title: "first" }],
  });
  expect(await page.getByLabel("Input, as JSON").inputValue()).not.toMatch(/address|London/);
  expect(complaints).toEqual([]);
});
