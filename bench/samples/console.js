import { median } from "../measure.js";
import { openConsole } from "../page.js";
import { grouped } from "../workflows.js";

// node bench/samples/console.js: what a person waits for in the page of a run of 5,000 tasks. A wait is the time from an input to
// the next picture, as the browser's own performance timeline has it.
const TASKS = 5_000;
const scene = await openConsole({ grouped: (path) => grouped(TASKS, path) });
await scene.call("launchRun", { workflow: "grouped", runId: "run", input: {} });
await scene.finished("run");
const page = await scene.browser.newPage({ viewport: { width: 1440, height: 900 } });
// It lists what takes longer than 16 ms.
const SHORTEST = 16;
await page.addInitScript((durationThreshold) => {
  globalThis.waits = [];
  new PerformanceObserver((list) => {
    globalThis.waits.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "event", durationThreshold, buffered: true });
}, SHORTEST);

const results = {};
/** The middle of the longest waits of each repetition. */
async function measure(name, times, interact) {
  const longest = [];
  for (let time = 0; time < times; time += 1) {
    await page.evaluate(() => globalThis.waits.splice(0));
    await interact(time);
    // Two pictures later the browser has listed what came before.
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))),
        ),
    );
    longest.push(Math.max(SHORTEST, ...(await page.evaluate(() => globalThis.waits))));
  }
  results[name] = median(longest);
}
const open = (path) => page.goto(`${scene.console}/runs/run${path}`);
const search = () => page.getByRole("searchbox").first();
const line = (index) => page.getByRole("treeitem").nth(index);

const start = performance.now();
await open("");
await line(20).waitFor();
results.openMs = performance.now() - start;
await page.getByRole("tree").focus();
await measure("arrowMs", 9, () => page.keyboard.press("ArrowDown"));
await measure("endMs", 5, (time) => page.keyboard.press(time % 2 === 0 ? "End" : "Home"));
await measure("foldMs", 5, () => line(1).click());
await measure("filterMs", 5, (time) =>
  page.getByRole("button", { name: time % 2 === 0 ? "failed" : "all", exact: true }).click(),
);
await page.getByRole("button", { name: "all", exact: true }).click();
await search().focus();
await measure("typeMs", 5, (time) => page.keyboard.type("t-123"[time]));
await measure("selectMs", 5, (time) => line(time).click());
await open("/events");
await search().focus();
await measure("searchEventsMs", 5, (time) => page.keyboard.type("t-499"[time]));
await open("/graph");
await page.getByRole("button", { name: "group-0" }).first().waitFor();
await measure("openGroupMs", 1, () => page.getByRole("button", { name: "group-0" }).first().click());
await measure("zoomMs", 5, (time) => page.keyboard.press(time % 2 === 0 ? "-" : "+"));
console.log(JSON.stringify(results));
await scene.end();
