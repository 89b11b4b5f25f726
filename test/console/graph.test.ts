import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { passing } from "./support/release.js";
import { INPUT, openConsole } from "./support/scene.js";

it("shows what leads to what with the states of the tasks, and a task beside it", async () => {
  const { page, run, open, complaints, gateway } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}`);
  await page.getByRole("link", { name: "Graph" }).click();
  const graph = page.getByRole("group", { name: "What leads to what" });
  await graph.getByRole("link", { name: "Check links, failed" }).waitFor();
  await graph.getByRole("link", { name: "Improve the notes, finished, round 3" }).waitFor();
  await graph.getByRole("link", { name: "ship, waits for approval" }).click();
  await page.getByRole("region", { name: "Task ship" }).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/runs/${runId}/graph/ship`);
  await page.getByRole("tab", { name: "output" }).click();
  expect(page.url()).toContain(`/graph/ship?tab=output`);
  await page.reload();
  await graph.getByRole("link", { name: "Publish, pending" }).waitFor();
  await gateway.call("submitApproval", { runId, nodeId: "ship", approved: true });
  await graph.getByRole("link", { name: "Publish, finished" }).waitFor();
  expect(complaints).toEqual([]);
});

it("is walked through, moved and zoomed with the keyboard alone", async () => {
  const { page, run, open } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}/graph`);
  const graph = page.getByRole("group", { name: "What leads to what" });
  await graph.getByRole("link", { name: "Check the style" }).focus();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toContain("Check links");
  const scale = async () => /scale\(([\d.]+)\)/.exec((await graph.innerHTML()) ?? "")?.[1];
  const before = Number(await scale());
  await page.keyboard.press("+");
  await expect.poll(async () => Number(await scale())).toBeGreaterThan(before);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Task publish" }).waitFor();
});

it("is moved by the wheel, zoomed by two fingers, and says what an edge passes on", async () => {
  const { page, run, open } = await openConsole({
    register: (gateway, folder) => gateway.register("passing", passing(folder)),
  });
  const runId = await run("passing", "finished");
  await open(`/runs/${runId}/graph`);
  const graph = page.getByRole("group", { name: "What leads to what" });
  await graph.getByRole("link", { name: "count, finished" }).waitFor();
  const view = async () => {
    const text = (await graph.innerHTML()).match(/translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)/) ?? [];
    return { x: Number(text[1]), y: Number(text[2]), scale: Number(text[3]) };
  };
  const first = await view();
  const box = await graph.boundingBox();
  if (box === null) throw new Error("no graph");
  const [x, y] = [box.x + box.width / 2, box.y + 40];
  await page.mouse.move(x, y);
  await page.mouse.wheel(30, 50);
  await expect.poll(view).toEqual({ x: first.x - 30, y: first.y - 50, scale: first.scale });
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(async () => (await view()).scale).toBeGreaterThan(first.scale);
  await page.getByRole("button", { name: "Fit" }).click();
  const { scale } = await view();
  const touch = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: apart === 0 ? [] : [-apart, apart].map((by, id) => ({ x: x + by, y, id })),
    });
  await send("touchStart", 30);
  await send("touchMove", 45);
  await send("touchEnd", 0);
  await expect.poll(async () => (await view()).scale).toBeGreaterThan(scale * 1.2);

  await graph.locator("[data-edge]").nth(1).dispatchEvent("click");
  const edge = page.getByRole("region", { name: "The chosen edge" });
  await edge.getByText("count → report").waitFor();
  await edge.getByText('"n": 42').waitFor();
});

it("is saved as SVG, PNG and Mermaid", async () => {
  const { page, run, open, complaints } = await openConsole();
  const runId = await run("release", "waiting-approval", INPUT);
  await open(`/runs/${runId}/graph`);
  const saved = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  };
  const svg = (await saved("SVG")).toString();
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).toContain("Check links");
  expect(svg).not.toMatch(/ class=| href=|var\(/);
  expect([...(await saved("PNG")).subarray(1, 4)]).toEqual([..."PNG"].map((c) => c.charCodeAt(0)));
  const chart = (await saved("Mermaid")).toString();
  expect(chart).toMatch(/^flowchart TD/);
  expect(chart).toContain("round 3 of 3");
  expect(complaints).toEqual([]);
});
