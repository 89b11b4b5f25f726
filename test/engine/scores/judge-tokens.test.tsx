import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, type Scorer, signalRun } from "../../../src/index.js";
import { serviceMetrics } from "../../../src/observability/index.js";
import { llmJudge } from "../../../src/scorers/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer, scoresOf } from "./support.js";

const schemas = { note: z.object({ text: z.string() }), go: z.object({}) };

const speaking = (id: string, output: object, tokens: number): AgentLike & { model: string } => ({
  id,
  model: "large-1",
  supportsNativeStructuredOutput: true,
  generate: async () => ({ output, usage: { inputTokens: tokens, outputTokens: 1 } }),
});

const writer = speaking("writer", { text: "a" }, 9);

/** Answers with something else first, so that it is asked twice. */
function hesitant(): AgentLike {
  let asked = 0;
  return {
    id: "judge",
    generate: async () => {
      asked += 1;
      const text = asked === 1 ? "Well." : '{"score": 1}';
      return { text, usage: { inputTokens: 100 * asked, outputTokens: 0, model: "small-1" } };
    },
  };
}

const judged = (judge: AgentLike): Scorer =>
  llmJudge({
    id: "taste",
    name: "Taste",
    description: "Good taste.",
    judge,
    instructions: "Judge it.",
    promptTemplate: ({ output }) => JSON.stringify(output),
  });

/** A task that is scored, and one more behind the score. */
function flow(score: Scorer, budget: { max?: number; perTask?: number } = {}) {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Task, Signal, Aspects, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="w">
      <Aspects tokenBudget={{ max: 1_000_000, ...budget, onExceeded: "skip-remaining" }}>
        <Sequence>
          <Task id="write" output={outputs.note} agent={writer} scorers={{ taste: { scorer: score } }}>
            Write.
          </Task>
          <Signal id="go" schema={outputs.go} />
          <Task id="after" output={outputs.note}>
            {{ text: "b" }}
          </Task>
        </Sequence>
      </Aspects>
    </Workflow>
  ));
  return { ...scene, workflow };
}

async function goOn({ workflow, resume }: ReturnType<typeof flow>): Promise<void> {
  await signalRun(workflow, { runId: "run", signal: "go", data: {} });
  await resume(workflow);
}

const stateOf = async ({ node }: ReturnType<typeof flow>, nodeId: string) => (await node(nodeId))?.state;

describe("the tokens of a scorer", () => {
  it("are the run's: reported as events, counted with it, and in the metrics of the process", async () => {
    const scene = flow(judged(hesitant()));
    const labels = { agent: "judge", model: "small-1" };
    const before = serviceMetrics.tokensInputTotal.value(labels);
    await scene.run(scene.workflow);
    const reported = (await scene.events("TokenUsageReported")).map(
      ({ agent, scorerId, inputTokens, model }) => {
        return { agent, scorerId, inputTokens, model };
      },
    );
    expect(reported).toEqual([
      { agent: "writer", scorerId: undefined, inputTokens: 9, model: "large-1" },
      { agent: "judge", scorerId: "taste", inputTokens: 100, model: "small-1" },
      { agent: "judge", scorerId: "taste", inputTokens: 200, model: "small-1" },
    ]);
    const kept = await scene.store.listUsage("run");
    expect(kept.map(({ callNo, attempt, nodeId }) => [nodeId, attempt, callNo])).toEqual([
      ["write", 1, 0],
      ["write", 1, 1],
      ["write", 1, 2],
    ]);
    expect(serviceMetrics.tokensInputTotal.value(labels) - before).toBe(300);
  });

  it("count for the budget of all tasks inside, also after a restart", async () => {
    for (const [max, state] of [
      [310, "skipped"],
      [311, "finished"],
    ] as const) {
      const scene = flow(judged(hesitant()), { max });
      await scene.run(scene.workflow);
      await goOn(scene);
      expect(await stateOf(scene, "after"), `a budget of ${max}`).toBe(state);
    }
  });

  it("do not count as the judged task's own", async () => {
    const scene = flow(judged(hesitant()), { perTask: 10 });
    await scene.run(scene.workflow);
    await goOn(scene);
    expect([await stateOf(scene, "write"), await stateOf(scene, "after")]).toEqual(["finished", "finished"]);
  });

  it("are known of a scorer of one's own that tells them, also where it fails", async () => {
    const failing = scorer(async ({ onUsage }) => {
      onUsage?.({ inputTokens: 5, outputTokens: 2 });
      onUsage?.({ inputTokens: Number.NaN, outputTokens: -1 });
      throw new Error("No taste.");
    }, "taste");
    const scene = flow(failing);
    await scene.run(scene.workflow);
    expect(await scoresOf(scene)).toMatchObject([{ state: "failed" }]);
    expect(
      (await scene.store.listUsage("run")).map(({ agentId, inputTokens }) => [agentId, inputTokens]),
    ).toEqual([
      ["writer", 9],
      ["taste", 5],
    ]);
  });
});
