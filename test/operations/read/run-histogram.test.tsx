import { expect, it } from "vitest";
import { z } from "zod";
import { runHistogram } from "../../../src/operations/index.js";
import { ServiceDb } from "../../../src/store/index.js";
import { openScene } from "../../support/engine/scene.js";

const MINUTE = 60_000;

async function sceneWithRuns(count: number) {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="count-me">
      <Task id="only" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  for (let index = 0; index < count; index += 1) await scene.run(workflow, { runId: `run-${index}` });
  return new ServiceDb(workflow.db);
}

it("the bars reach from the oldest run until now, and their sum is that of all runs", async () => {
  const db = await sceneWithRuns(3);
  const { store } = db;
  const madeAt = (await store.oldestRun({})) as number;
  const nowMs = madeAt + 10 * MINUTE;
  const { bars, counts } = await runHistogram([db], {}, nowMs);
  expect(counts).toEqual({ finished: 3 });
  expect(bars.length).toBeLessThanOrEqual(60);
  expect(bars[0]?.startMs).toBeLessThanOrEqual(madeAt);
  expect(bars.at(-1)?.endMs).toBeGreaterThan(nowMs);
  expect(bars.reduce((sum, bar) => sum + (bar.counts.finished ?? 0), 0)).toBe(3);
  for (const [index, bar] of bars.slice(1).entries()) expect(bar.startMs).toBe(bars[index]?.endMs);
});

it("a day is divided into half hours, and ten years into no more bars than were asked for", async () => {
  const db = await sceneWithRuns(1);
  const DAY = 24 * 60 * MINUTE;
  const createdBeforeMs = 20_000 * DAY;
  const day = await runHistogram([db], { createdAfterMs: createdBeforeMs - DAY, createdBeforeMs }, 0);
  expect(day.bars).toHaveLength(48);
  const years = { createdAfterMs: createdBeforeMs - 3_650 * DAY, createdBeforeMs, bars: 20 };
  const { bars } = await runHistogram([db], years, 0);
  expect(bars.length).toBeLessThanOrEqual(20);
  expect(bars.length).toBeGreaterThan(15);
});

it("databases are counted together, and without runs there is no bar", async () => {
  const [one, other, empty] = [await sceneWithRuns(1), await sceneWithRuns(2), await sceneWithRuns(0)];
  const nowMs = ((await one.store.oldestRun({})) as number) + 60 * MINUTE;
  expect((await runHistogram([one, other, empty], {}, nowMs)).counts).toEqual({ finished: 3 });
  expect(await runHistogram([empty], {}, nowMs)).toEqual({ bars: [], counts: {} });
  expect(await runHistogram([one], { statuses: ["failed"] }, nowMs)).toEqual({ bars: [], counts: {} });
});

it("more bars than a screen can have are refused", async () => {
  const db = await sceneWithRuns(0);
  await expect(runHistogram([db], { bars: 501 }, 0)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
