import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage } as const;
const warning = { type: "unsupported", feature: "topK", details: "It is ignored." } as const;

describe("a prebuilt model", () => {
  it("that cannot stream is asked for its answer in one piece", async () => {
    const model = new MockLanguageModelV3({
      doGenerate: {
        content: [{ type: "text", text: '{"title":"x"}' }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
      },
    });
    const schema = z.object({ title: z.string() });
    const result = await generateStructured({ agent: new OpenAIAgent({ model }), prompt: "p", schema });
    expect(result).toMatchObject({ row: { title: "x" }, mode: "native" });
    expect(model.doGenerateCalls[0]?.responseFormat).toMatchObject({ type: "json" });
  });

  it("that fails for another reason is not asked twice", async () => {
    const failure = new Error("out of order");
    const model = new MockLanguageModelV3({
      doStream: async () => {
        throw failure;
      },
    });
    await expect(new OpenAIAgent({ model }).generate({ prompt: "p" })).rejects.toBe(failure);
    expect(model.doGenerateCalls).toHaveLength(0);
  });

  it("has its warnings reported as events and not printed", async () => {
    const printed = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")];
    const model = new MockLanguageModelV3({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: "stream-start", warnings: [warning] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "ok" },
          { type: "text-end", id: "1" },
          finish,
        ]),
      },
    });
    const events: AgentCliEvent[] = [];
    await new OpenAIAgent({ model }).generate({ prompt: "p", onEvent: (event) => events.push(event) });
    expect(events).toContainEqual({
      type: "action",
      engine: "openai",
      phase: "completed",
      action: { id: "warning-1", kind: "warning", title: "warning" },
      message: "topK is not supported. It is ignored.",
      level: "warning",
    });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
