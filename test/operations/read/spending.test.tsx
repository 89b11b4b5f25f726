import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inspectRun, inspectTask } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scriptedAgent } from "../../support/engine/scripted-agent.js";

const schemas = { note: z.object({ text: z.string() }) };

const answer = (model: string, inputTokens: number, more: Record<string, number> = {}) => ({
  output: { text: "done" },
  usage: { model, inputTokens, outputTokens: 10, ...more },
});

/** One agent after the other inside a budget, with ten minutes between them. */
async function spend() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Aspects, Task, Timer, service, outputs } = scene.api;
  const small = scriptedAgent("small", [answer("model-s", 100, { cacheReadTokens: 60 })]);
  const large = scriptedAgent("large", [answer("model-l", 900, { reasoningTokens: 4 })]);
  const workflow = service(() => (
    <Workflow name="spend">
      <Aspects id="money" tokenBudget={{ max: 5_000, perTask: 2_000, onExceeded: "warn" }}>
        <Sequence>
          <Task id="first" output={outputs.note} agent={small}>
            One.
          </Task>
          <Timer id="pause" duration="10m" />
          <Task id="second" output={outputs.note} agent={large} timeoutMs={60_000} dependsOn={["first"]}>
            Two.
          </Task>
        </Sequence>
      </Aspects>
    </Workflow>
  ));
  await scene.run(workflow);
  await scene.time.sleepThrough(600_000);
  expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
  return { ...scene, workflow };
}

describe("what a run has used", () => {
  it("is added up as a whole and by model, who has used most first", async () => {
    const { workflow } = await spend();
    const { usage } = await inspectRun(workflow, "run");
    expect(usage).toMatchObject({ calls: 2, inputTokens: 1_000, outputTokens: 20, cacheReadTokens: 60 });
    expect(usage.models).toMatchObject([
      { model: "model-l", calls: 1, inputTokens: 900, reasoningTokens: 4 },
      { model: "model-s", calls: 1, inputTokens: 100, cacheReadTokens: 60 },
    ]);
  });

  it("is set against the budgets of the tree", async () => {
    const { workflow } = await spend();
    expect((await inspectRun(workflow, "run")).budgets).toEqual([
      { id: "money", unit: "tokens", perTask: false, spent: 1_020, limit: 5_000, onExceeded: "warn" },
      { id: "money", unit: "tokens", perTask: true, spent: 910, limit: 2_000, onExceeded: "warn" },
    ]);
  });

  it("is time at work and time that it waited, which together are all of it", async () => {
    const { workflow, store } = await spend();
    const { time } = await inspectRun(workflow, "run");
    const run = await store.getRun("run");
    expect(time.waitedMs).toBeGreaterThanOrEqual(600_000);
    expect(time.workedMs + time.waitedMs).toBe((run?.finishedAtMs ?? 0) - (run?.startedAtMs ?? 0));
  });
});

describe("a task in the newest frame", () => {
  it("has its settings as they are written, the tasks that it names with their states, and its own tokens", async () => {
    const { workflow } = await spend();
    expect(await inspectTask(workflow, { runId: "run", nodeId: "second", iteration: 0 })).toMatchObject({
      isMounted: true,
      settings: { agent: "large", timeoutMs: "60000" },
      dependsOn: [{ nodeId: "first", iteration: 0, state: "finished" }],
      usage: { calls: 1, inputTokens: 900, models: [{ model: "model-l" }] },
    });
  });

  it("that is not there has neither", async () => {
    const { workflow } = await spend();
    expect(await inspectTask(workflow, { runId: "run", nodeId: "third", iteration: 0 })).toMatchObject({
      isMounted: false,
      settings: {},
      dependsOn: [],
      usage: { calls: 0, models: [] },
    });
  });
});
