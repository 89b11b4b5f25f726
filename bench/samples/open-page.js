import { openConsole } from "../page.js";
import { loop, staticSequence } from "../workflows.js";

// node bench/samples/open-page.js: what a page holds that stays open while runs come and go. Kilobytes of its heap, after a
// collection, a quarter of the way and at its end: the list of runs over 400 runs, the log of a run over 9,000 events.
const RUNS = 400;
const ROUNDS = 1_500;
const scene = await openConsole({
  short: (path) => staticSequence(1, path),
  loop: (path) => loop(ROUNDS, path),
});
const held = async (page) => {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1024;
};
const results = {};

const list = await scene.browser.newPage();
await list.goto(`${scene.console}/runs`);
for (let n = 1; n <= RUNS; n += 1) {
  await scene.call("launchRun", { workflow: "short", runId: `short-${n}`, input: {} });
  await scene.finished(`short-${n}`);
  if (n === RUNS / 4) results.listQuarterKb = await held(list);
}
await list.getByText(`short-${RUNS}`).first().waitFor();
results.listKb = await held(list);
await list.close();

const log = await scene.browser.newPage();
await scene.call("launchRun", { workflow: "loop", runId: "loop", input: {} });
await log.goto(`${scene.console}/runs/loop/events`);
const rounds = async () => (await scene.call("getRun", { runId: "loop" })).nodeCounts?.finished ?? 0;
while ((await rounds()) < ROUNDS / 4) await new Promise((resolve) => setTimeout(resolve, 20));
results.logQuarterKb = await held(log);
await scene.finished("loop");
await log.getByText("RunFinished").first().waitFor();
results.logKb = await held(log);
results.growth = Math.max(results.listKb / results.listQuarterKb, results.logKb / results.logQuarterKb);
console.log(JSON.stringify(results));
await scene.end();
