import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { INPUT, openConsole } from "./support/scene.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

it.each(["light", "dark"] as const)("no view has a serious finding, %s", async (theme) => {
  const { page, run, open, complaints } = await openConsole({ theme });
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
    // By the tools of the browser: the policy of the page allows no script of others.
    await page.evaluate(axe);
    const findings = await page.evaluate(
      () =>
        (globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }).axe
          .run()
          .then(({ violations }) => violations) as Promise<Finding[]>,
    );
    const serious = findings
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => ({
        path,
        id,
        at: nodes.slice(0, 3).map(({ failureSummary, html }) => failureSummary + html),
      }));
    expect(serious).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
