import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentLike } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { answer: z.object({ n: z.number() }) };

describe("an agent whose prompt is made by a function", () => {
  /** What the agent is asked in runs of their own, the prompts being these. */
  async function asking(prompts: readonly string[], byWorkflow: boolean) {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const asked: string[] = [];
    const agent: AgentLike = {
      supportsNativeStructuredOutput: true,
      async generate(args) {
        asked.push(String(args?.prompt));
        return { n: 1 };
      },
    };
    for (const [at, prompt] of prompts.entries()) {
      const workflow = service(() => (
        <Workflow name="written" {...(byWorkflow && { cache: true })}>
          <Task id="ask" output={outputs.answer} agent={agent} {...(!byWorkflow && { cache: {} })}>
            {async () => prompt}
          </Task>
        </Workflow>
      ));
      expect((await run(workflow, { runId: `run-${at}` })).status).toBe("finished");
    }
    return asked;
  }

  it.each([
    ["the task", false],
    ["the Workflow", true],
  ])("is asked again when what the function returns has changed: cache on %s", async (_what, byWorkflow) => {
    expect(await asking(["How many?", "How many?", "How few?", "How many?"], byWorkflow)).toEqual([
      "How many?",
      "How few?",
    ]);
  });
});

it("a compute task is asked again when it has got another function while it waited for its turn", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Sequence, Task, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="replaced">
      <Sequence>
        <Task id="first" output={outputs.answer}>
          {{ n: ctx.runId === "a" ? 1 : 2 }}
        </Task>
        <Task id="second" output={outputs.answer} cache={{}}>
          {ctx.outputMaybe("answer", { nodeId: "first" })?.n === 2 ? () => ({ n: 20 }) : () => ({ n: 10 })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  await run(workflow, { runId: "a" });
  await run(workflow, { runId: "b" });
  expect((await store.getOutput("b", "answer", "second", 0))?.["n"]).toBe(20);
});
