import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/memory/index.js";
import { INPUT, openConsole, registerAll } from "./support/scene.js";
import { SECRET, sendTicket, tickets } from "./support/tickets.js";

const FOLDER = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
const MOST_OF_ONE = 60 * 1024;
const MOST_OF_ALL = 1_500 * 1024;
const VIEWS = [
  "runs",
  "run",
  "graph",
  "timeline",
  "events",
  "frames",
  "transcript",
  "judgement",
  "inbox",
  "workflow",
  "schedules",
  "webhooks",
  "agents",
  "scores",
  "memory",
  "status",
];
const THEMES = ["light", "dark"] as const;

const names = VIEWS.flatMap((view) => THEMES.map((theme) => `console-${view}-${theme}.webp`));

it.runIf(process.env["TREADLE_PICTURES"] === "make").each(THEMES)("takes the pictures, %s", async (theme) => {
  const { page, run, open, gateway } = await openConsole({
    theme,
    width: 1280,
    height: 800,
    register(host, folder) {
      registerAll(host, folder);
      host.register("tickets", tickets(folder), { webhook: { secret: SECRET, run: { enabled: true } } });
    },
  });
  for (const version of ["1.9.0", "2.0.0"]) {
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
  const asked = { message: "Where is my parcel?" };
  const ticket = await run("tickets", "finished", asked);
  await run("tickets", "finished", { message: "Can I change my address?" });
  await sendTicket(gateway.url, asked, "ticket-4711");
  await sendTicket(gateway.url, asked, "ticket-4712", false);
  await sendTicket(gateway.url, { text: "no message" }, "ticket-4713");
  const judged = async () =>
    (await gateway.call<{ summary: unknown[] }>("listScores", { runId: ticket })).summary;
  await expect.poll(async () => (await judged()).length).toBe(1);
  const memory = createMemoryStore(join(gateway.folder, "service.db"));
  await memory.setFact({ kind: "user", id: "ada" }, "language", "English");
  await memory.setFact({ kind: "user", id: "ada" }, "address", { city: "London", since: 1835 });
  const paths: Record<string, string> = {
    runs: "/runs",
    run: `/runs/${runId}/nodes/lint?tab=output`,
    graph: `/runs/${finished}/graph`,
    timeline: `/runs/${finished}/timeline`,
    events: `/runs/${finished}/events`,
    frames: `/runs/${finished}/frames`,
    transcript: `/runs/${ticket}/nodes/answer?tab=transcript`,
    judgement: `/runs/${ticket}/nodes/answer?tab=scores`,
    inbox: "/inbox",
    workflow: "/catalog/release",
    schedules: "/schedules",
    webhooks: "/webhooks",
    agents: "/agents",
    scores: "/scores",
    memory: "/memory?namespace=user%3Aada",
    status: "/status",
  };
  mkdirSync(FOLDER, { recursive: true });
  for (const view of VIEWS) {
    await open(paths[view] as string);
    await page.waitForLoadState("networkidle");
    await page.getByText("Loading…").first().waitFor({ state: "detached" });
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
