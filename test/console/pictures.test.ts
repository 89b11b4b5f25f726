import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { INPUT, openConsole } from "./support/scene.js";

const FOLDER = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
const MOST_OF_ONE = 60 * 1024;
const MOST_OF_ALL = 1_500 * 1024;
const VIEWS = ["runs", "run", "graph", "timeline", "events", "frames", "inbox", "workflow", "status"];
const THEMES = ["light", "dark"] as const;

const names = VIEWS.flatMap((view) => THEMES.map((theme) => `console-${view}-${theme}.webp`));

it.runIf(process.env["TREADLE_PICTURES"] === "make").each(THEMES)("takes the pictures, %s", async (theme) => {
  const { page, run, open, gateway } = await openConsole({ theme, width: 1280, height: 800 });
  for (const version of ["1.8.0", "1.9.0", "2.0.0"]) {
    const runId = await run("release", "waiting-approval", { ...INPUT, version });
    await gateway.call("submitApproval", { runId, nodeId: "ship", approved: true });
    await gateway.until(runId, "finished");
    await run("import-orders", "failed");
  }
  const finished = await run("release", "waiting-approval", INPUT);
  await gateway.call("submitApproval", { runId: finished, nodeId: "ship", approved: true });
  await gateway.until(finished, "finished");
  const runId = await run("release", "waiting-approval", { ...INPUT, version: "2.2.0" });
  await run("choose", "waiting-approval");
  const paths: Record<string, string> = {
    runs: "/runs",
    run: `/runs/${runId}/nodes/lint`,
    graph: `/runs/${finished}/graph`,
    timeline: `/runs/${finished}/timeline`,
    events: `/runs/${finished}/events`,
    frames: `/runs/${finished}/frames`,
    inbox: "/inbox",
    workflow: "/catalog/release",
    status: "/status",
  };
  mkdirSync(FOLDER, { recursive: true });
  for (const view of VIEWS) {
    await open(paths[view] as string);
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready);
    const png = await page.screenshot({ scale: "css" });
    writeFileSync(join(FOLDER, `console-${view}-${theme}.webp`), await webpOf(page, png));
  }
});

it("each view is in the documentation, light and dark, in files that are small", () => {
  const text = readFileSync(join(FOLDER, "../console.md"), "utf8");
  expect(readdirSync(FOLDER).sort()).toEqual(names.toSorted());
  let all = 0;
  for (const name of names) {
    expect(text).toContain(`pictures/${name}`);
    const { size } = statSync(join(FOLDER, name));
    expect({ name, isSmall: size < MOST_OF_ONE }).toEqual({ name, isSmall: true });
    all += size;
  }
  expect(all).toBeLessThan(MOST_OF_ALL);
});

/** As the browser writes it: a tenth of the size. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const maker = await page.context().newPage();
  const text = await maker.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.7);
  }, png.toString("base64"));
  await maker.close();
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
}
