import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { registerPlan, WRITTEN } from "./support/plan.js";
import { INPUT, openConsole, registerAll } from "./support/scene.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Of the rules, what depends on the theme: all others find the same in both. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** By the tools of the browser: the policy of the page allows no script of others. */
async function serious(page: Page, rules?: readonly string[]): Promise<object[]> {
  const findings = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } }).axe
        .run(values === undefined ? {} : { runOnly: { type: "rule", values } })
        .then(({ violations }) => violations) as Promise<Finding[]>,
    rules,
  );
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      at: nodes.slice(0, 3).map(({ failureSummary, html }) => failureSummary + html),
    }));
}

it("no view has a serious finding, in the light and in the dark", async () => {
  const { page, run, open, complaints } = await openConsole({
    theme: "light",
    register(gateway, folder) {
      registerAll(gateway, folder);
      registerPlan(gateway, folder);
    },
  });
  const planned = await run("plan", "finished", WRITTEN);
  const runId = await run("release", "waiting-approval", INPUT);
  const failed = await run("import-orders", "failed");
  await run("choose", "waiting-approval");
  const views: [path: string, heading: string][] = [
    ["", "Runs"],
    [`/runs/${runId}/nodes/links?tab=attempts`, "Check links"],
    [`/runs/${failed}`, "import-orders"],
    [`/runs/${runId}/graph/links`, "Check links"],
    [`/runs/${runId}/timeline/links`, "Check links"],
    [`/runs/${runId}/events?seq=3`, "release"],
    [`/runs/${runId}/frames?frame=2`, "Frame 2"],
    ["/inbox", "Inbox"],
    ["/catalog", "Workflows"],
    ["/catalog/release", "Start a run"],
    [`/catalog/plan?from=${planned}`, "Start a run"],
    ["/schedules", "Schedules"],
    ["/webhooks", "Webhooks"],
    ["/agents", "Agents"],
    ["/scores", "Scores"],
    ["/memory", "Memory"],
    ["/status", "Status"],
  ];
  for (const [path, name] of views) {
    await open(path);
    await page.getByRole("heading", { name }).first().waitFor();
    await page.getByText("Loading…").first().waitFor({ state: "detached" });
    await page.evaluate(axe);
    expect({ path, light: await serious(page) }).toEqual({ path, light: [] });
    await page.emulateMedia({ colorScheme: "dark" });
    expect({ path, dark: await serious(page, COLOURS) }).toEqual({ path, dark: [] });
    await page.emulateMedia({ colorScheme: "light" });
  }
  expect(complaints).toEqual([]);
});
