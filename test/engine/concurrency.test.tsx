import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

/** Tasks that take a second each and know how many of them ran at once. */
function gauge() {
  const scene = openScene(schemas);
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const task = (id: string, group = "all") => (
    <scene.api.Task key={id} id={id} output={scene.api.outputs.step}>
      {async () => {
        for (const name of new Set(["all", group])) {
          running.set(name, (running.get(name) ?? 0) + 1);
          most.set(name, Math.max(most.get(name) ?? 0, running.get(name) ?? 0));
        }
        await scene.time.pause(1_000);
        for (const name of new Set(["all", group])) running.set(name, (running.get(name) ?? 0) - 1);
        return { n: 1 };
      }}
    </scene.api.Task>
  );
  const tasks = (count: number, group: string) =>
    Array.from({ length: count }, (_, n) => task(`${group}-${n}`, group));
  return { ...scene, task, tasks, most };
}

describe("tasks that may run at the same time", () => {
  it("do, four at once by default", async () => {
    const scene = gauge();
    const { Workflow, Parallel, service } = scene.api;
    await scene.run(
      service(() => (
        <Workflow name="w">
          <Parallel>{scene.tasks(10, "x")}</Parallel>
        </Workflow>
      )),
    );
    expect(scene.most.get("all")).toBe(4);
  });

  it.each([1, 7])("do not exceed a maxConcurrency of %i", async (maxConcurrency) => {
    const scene = gauge();
    const { Workflow, Parallel, service } = scene.api;
    await scene.run(
      service(() => (
        <Workflow name="w">
          <Parallel>{scene.tasks(10, "x")}</Parallel>
        </Workflow>
      )),
      { maxConcurrency },
    );
    expect(scene.most.get("all")).toBe(maxConcurrency);
  });

  it("respect every cap around them", async () => {
    const scene = gauge();
    const { Workflow, Parallel, MergeQueue, service } = scene.api;
    await scene.run(
      service(() => (
        <Workflow name="w">
          <Parallel maxConcurrency={5}>
            <Parallel maxConcurrency={2}>{scene.tasks(5, "capped")}</Parallel>
            <MergeQueue>{scene.tasks(4, "queued")}</MergeQueue>
            {scene.tasks(6, "free")}
          </Parallel>
        </Workflow>
      )),
      { maxConcurrency: 64 },
    );
    expect(Object.fromEntries(scene.most)).toEqual({ all: 5, capped: 2, queued: 1, free: 2 });
  });

  it("start in document order and finish together in one commit", async () => {
    const scene = gauge();
    const { Workflow, Parallel, service } = scene.api;
    let commits = 0;
    const stop = scene.store.onChange(() => {
      commits += 1;
    });
    await scene.run(
      service(() => (
        <Workflow name="w">
          <Parallel>{scene.tasks(8, "x")}</Parallel>
        </Workflow>
      )),
    );
    stop();
    const started = (await scene.events("NodeStarted")).map(({ nodeId }) => nodeId);
    expect(started).toEqual(Array.from({ length: 8 }, (_, n) => `x-${n}`));
    // The run row, the first four starts, their ends with the next four starts, and the end.
    expect(commits).toBe(4);
  });
});
