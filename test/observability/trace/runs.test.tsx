import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, approvalDecision, approveNode, defineTool } from "../../../src/index.js";
import { llmJudge } from "../../../src/scorers/index.js";
import { openScene } from "../../support/engine/scene.js";
import { exportTo } from "../support/collector.js";

const schemas = { row: z.object({ n: z.number() }), gate: approvalDecision };

const weigh = defineTool({
  name: "weigh",
  description: "Weighs.",
  schema: z.object({}),
  execute: async () => ({ grams: 3 }),
});

const keeper: AgentLike & { model: string } = {
  id: "keeper",
  model: "large-1",
  supportsNativeStructuredOutput: true,
  async generate() {
    await weigh.execute({});
    return { output: { n: 1 }, usage: { inputTokens: 9, outputTokens: 8 } };
  },
};

/** A run that asks an agent, which calls a tool. */
async function asked() {
  const collector = await exportTo({ serviceName: "zoo" });
  const { api, run } = openScene(schemas);
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="pets">
      <Task id="ask" output={outputs.row} agent={keeper}>
        How heavy?
      </Task>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
  await collector.flush();
  return collector;
}

describe("the spans of a run", () => {
  it("lie below each other: run, task, call of the agent, call of the tool", async () => {
    const { span, spans } = await asked();
    const chain = ["run pets", "task ask", "invoke_agent keeper", "execute_tool weigh"];
    const tool = span("execute_tool weigh");
    const path = [tool];
    for (let at = tool; at.parentSpanId !== ""; ) {
      at = spans.find(({ spanId }) => spanId === at.parentSpanId) as typeof tool;
      path.unshift(at);
    }
    expect(path.map(({ name }) => name)).toEqual(chain);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.every(({ startMs, endMs }) => startMs <= endMs && startMs > 1e12)).toBe(true);
  });

  it("have one for each scorer, linked to the attempt that it judges, and the judge's call below that", async () => {
    const collector = await exportTo({ serviceName: "zoo" });
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const fair = llmJudge({
      id: "fair",
      name: "Fair",
      description: "Fair weight.",
      judge: { ...keeper, id: "judge", generate: async () => ({ output: { score: 0.5 } }) },
      instructions: "Judge it.",
      promptTemplate: ({ output }) => JSON.stringify(output),
    });
    const torn = { ...fair, id: "torn", score: () => Promise.reject(new Error("Cannot tell.")) };
    const workflow = service(() => (
      <Workflow name="pets">
        <Task id="weigh" output={outputs.row} scorers={{ fair: { scorer: fair }, torn: { scorer: torn } }}>
          {{ n: 1 }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    await collector.flush();
    const { span } = collector;
    const judged = span("task weigh");
    expect(span("score fair")).toMatchObject({
      parentSpanId: span("run pets").spanId,
      links: [{ traceId: judged.traceId, spanId: judged.spanId }],
    });
    expect(span("invoke_agent judge").parentSpanId).toBe(span("score fair").spanId);
    expect(span("score fair").attributes).toEqual({
      "treadle.run.id": "run",
      "treadle.node.id": "weigh",
      "treadle.node.iteration": 0,
      "treadle.node.attempt": 1,
      "gen_ai.evaluation.name": "Fair",
      "gen_ai.evaluation.score.value": 0.5,
    });
    expect(span("score torn")).toMatchObject({
      links: [{ traceId: judged.traceId, spanId: judged.spanId }],
      attributes: { "error.type": "SCORER_FAILED" },
    });
  });

  it("say what they are about, calls in the words of the conventions for generative AI", async () => {
    const { span } = await asked();
    expect(span("run pets").attributes).toEqual({
      "treadle.run.id": "run",
      "treadle.workflow.name": "pets",
      "treadle.run.status": "finished",
    });
    expect(span("drive pets").attributes).toEqual({
      "treadle.run.id": "run",
      "treadle.run.resumed": false,
      "treadle.run.status": "finished",
    });
    expect(span("task ask").attributes).toEqual({
      "treadle.run.id": "run",
      "treadle.node.id": "ask",
      "treadle.node.iteration": 0,
      "treadle.node.attempt": 1,
      "treadle.node.status": "finished",
    });
    expect(span("invoke_agent keeper")).toMatchObject({
      kind: "SPAN_KIND_CLIENT",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "keeper",
        "gen_ai.request.model": "large-1",
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 8,
      },
    });
    expect(span("execute_tool weigh").attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weigh",
    });
    expect(span("run pets").resource).toMatchObject({ "service.name": "zoo", "process.pid": process.pid });
  });
});

describe("attempts of one task", () => {
  it("are spans beside each other, and those that failed say so", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="flaky">
        <Task id="flaky" output={outputs.row} retries={2}>
          {(_inputs, { attempt }) => {
            if (attempt < 3) throw new Error(`No luck at ${attempt}.`);
            return { n: 1 };
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    await flush();
    const attempts = spans.filter(({ name }) => name === "task flaky");
    expect(attempts.map(({ failure }) => failure)).toEqual(["No luck at 1.", "No luck at 2.", undefined]);
    expect(attempts.map(({ attributes }) => attributes["treadle.node.attempt"])).toEqual([1, 2, 3]);
    expect(attempts[0]?.attributes["error.type"]).toBe("TASK_FAILED");
    expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
    expect(span("run flaky").failure).toBeUndefined();
  });
});

describe("a run that fails", () => {
  it("fails as a span", async () => {
    const { flush, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="failing">
        <Task id="failing" output={outputs.row} retries={0}>
          {() => {
            throw new Error("No.");
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    await flush();
    expect(span("run failing")).toMatchObject({
      failure: "No.",
      attributes: { "treadle.run.status": "failed" },
    });
  });
});

describe("a run that is resumed", () => {
  it("continues with its trace, and names the drive before", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, drive, resume } = openScene(schemas);
    const { Workflow, Approval, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="asking">
        <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
      </Workflow>
    ));
    await drive(workflow);
    await approveNode(workflow, { runId: "run", nodeId: "gate" });
    expect((await resume(workflow)).status).toBe("finished");
    await flush();
    expect(span("run asking").attributes["treadle.run.status"]).toBe("finished");
    const [first, second] = spans.filter(({ name }) => name === "drive asking");
    expect(first?.attributes["treadle.run.status"]).toBe("waiting-approval");
    expect(second?.attributes).toMatchObject({
      "treadle.run.resumed": true,
      "treadle.run.status": "finished",
    });
    expect(second?.traceId).toBe(first?.traceId);
    expect(second?.links).toEqual([{ traceId: first?.traceId, spanId: first?.spanId }]);
  });
});

describe("a run that continues as a new one", () => {
  it("is named by the span of the next", async () => {
    const { flush, spans } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, ContinueAsNew, service } = api;
    const workflow = service((ctx) => (
      <Workflow name="twice">{ctx.continuation === undefined && <ContinueAsNew state={1} />}</Workflow>
    ));
    await run(workflow);
    await flush();
    const [first, second] = spans.filter(({ name }) => name === "run twice");
    expect(first?.attributes["treadle.run.status"]).toBe("continued");
    expect(second?.links).toEqual([{ traceId: first?.traceId, spanId: first?.spanId }]);
  });
});
