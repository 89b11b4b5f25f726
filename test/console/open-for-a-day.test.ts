import type { Request } from "playwright-core";
import { expect, it } from "vitest";
import { INPUT, openConsole } from "./support/scene.js";

const HOURS = 24;
/** Between two looks. */
const STEP = 2;
const NOISE_KB = 1_024;

it("asks no more often and holds no more after a day than after its first hours, while runs come and go", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await page.clock.install();
  await open(`/runs/${runId}`);
  await page.getByRole("heading", { name: "Ship 2.1.0?" }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  let asked = 0;
  const underWay = new Set<Request>();
  page.on("request", (request) => {
    asked += 1;
    underWay.add(request);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  const hours: { asked: number; nodes: number; listeners: number; heapKb: number }[] = [];
  for (let hour = 0; hour < HOURS; hour += STEP) {
    asked = 0;
    await run("import-orders", "failed");
    // Two steps: what a timer has begun may have a timer of its own.
    for (const ms of [STEP * 3_600_000 - 10_000, 10_000]) {
      await page.clock.fastForward(ms);
      await expect.poll(() => underWay.size).toBe(0);
    }
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const heapKb = of("JSHeapUsedSize") / 1024;
    hours.push({ asked, nodes: of("Nodes"), listeners: of("JSEventListeners"), heapKb });
  }
  expect(Math.max(...hours.map((hour) => hour.asked))).toBeLessThan(40);
  // One look may find what is just being done: the least of the last looks counts, beside the most of the first ones.
  for (const [name, noise] of [
    ["nodes", 50],
    ["listeners", 20],
    ["heapKb", NOISE_KB],
  ] as const) {
    const most = Math.max(...hours.slice(0, 3).map((hour) => hour[name]));
    const least = Math.min(...hours.slice(-3).map((hour) => hour[name]));
    expect({ name, least, isHeld: least < most + noise }).toMatchObject({ isHeld: true });
  }
  await page.getByRole("heading", { name: "Ship 2.1.0?" }).waitFor();
});
