import { Output, stepCountIs, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { readAgentResult } from "../../../src/agents/structured/read-agent-result.js";
import type { AgentInput } from "../../../src/model/agent.js";

type ModelResult = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;

const usage = {
  inputTokens: { total: 12, noCache: 2, cacheRead: 10, cacheWrite: 0 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};

function says(text: string): ModelResult {
  return {
    content: [{ type: "text", text }],
    finishReason: { unified: "stop", raw: "stop" },
    usage,
    warnings: [],
  };
}

function calls(toolName: string): ModelResult {
  return {
    content: [{ type: "tool-call", toolCallId: "c1", toolName, input: "{}" }],
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage,
    warnings: [],
  };
}

const schema = z.object({ title: z.string(), score: z.number() });
const good = { title: "x", score: 1 };
const look = tool({ inputSchema: z.object({}), execute: async () => "looked" });

describe("a ToolLoopAgent of the AI SDK", () => {
  it("is an AgentLike as it stands", () => {
    const agent: AgentInput = new ToolLoopAgent({
      id: "bare",
      model: new MockLanguageModelV3(),
      tools: { look },
    });
    expect(agent.id).toBe("bare");
    expect(Object.keys(agent.tools ?? {})).toEqual(["look"]);
  });

  it("answers a schema in its prompt, whatever else the engine passes", async () => {
    const model = new MockLanguageModelV3({ doGenerate: says(`Here: ${JSON.stringify(good)}`) });
    const result = await generateStructured({
      agent: new ToolLoopAgent({ model }),
      prompt: "Rate it.",
      schema,
      args: {
        rootDir: "/w",
        timeout: 60_000,
        maxOutputBytes: 10,
        retry: false,
        isRetry: false,
        retryAttempt: 0,
        taskContext: { runId: "r", nodeId: "n", iteration: 0, attempt: 1 },
        abortSignal: new AbortController().signal,
        onStdout: () => {},
        onStderr: () => {},
      },
    });
    expect(result).toMatchObject({ row: good, mode: "prompted" });
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain("Answer with one bare JSON object");
  });

  it("has its usage counted, over all steps", async () => {
    const model = new MockLanguageModelV3({ doGenerate: [calls("look"), says(JSON.stringify(good))] });
    const { calls: counted } = await generateStructured({
      agent: new ToolLoopAgent({ model, tools: { look } }),
      prompt: "p",
      schema,
    });
    expect(counted.map((call) => call.usage)).toEqual([
      {
        inputTokens: 24,
        outputTokens: 10,
        cacheReadTokens: 20,
        cacheWriteTokens: 0,
        reasoningTokens: 4,
        model: "mock-model-id",
      },
    ]);
  });

  it("has its output taken when it brings a schema of its own", async () => {
    const model = new MockLanguageModelV3({ doGenerate: says(JSON.stringify(good)) });
    const agent = new ToolLoopAgent({ model, output: Output.object({ schema }) });
    expect(readAgentResult(await agent.generate({ prompt: "p" })).output).toEqual(good);
    expect((await generateStructured({ agent, prompt: "p", schema })).row).toEqual(good);
  });

  it("is corrected when its own schema rejects the model's text", async () => {
    const model = new MockLanguageModelV3({
      doGenerate: [says('{"title":"x"}'), says(JSON.stringify(good))],
    });
    const agent = new ToolLoopAgent({ model, output: Output.object({ schema }) });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, schemaRetries: 1 });
    expect(result.calls[0]?.usage).toMatchObject({ inputTokens: 12, outputTokens: 5 });
  });

  it("is corrected inside its conversation, with the results of its tools", async () => {
    const model = new MockLanguageModelV3({
      doGenerate: [calls("look"), says("I looked."), says(JSON.stringify(good))],
    });
    const agent = new ToolLoopAgent({ model, tools: { look } });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result.row).toEqual(good);
    const roles = model.doGenerateCalls[2]?.prompt.map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });

  it("is understood when it stops at its step limit without an answer", async () => {
    const model = new MockLanguageModelV3({ doGenerate: [calls("look"), says(JSON.stringify(good))] });
    const agent = new ToolLoopAgent({ model, tools: { look }, stopWhen: stepCountIs(1) });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, schemaRetries: 1 });
  });
});
