import { afterEach, describe, expect, it } from "vitest";
import { ClaudeCodeAgent, CodexAgent, ForgeAgent, GeminiAgent } from "../../../src/agents/cli/index.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";
import { createFakeTool, type FakeTool } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

describe("a talkative agent", () => {
  it("is heard in pieces, not line by line, and does not fill the memory", async () => {
    fake = createFakeTool("forge");
    const line = `progress ${"x".repeat(200)}`;
    const times = 100_000;
    fake.plays([{ repeat: { line, times } }]);
    let pieces = 0;
    let characters = 0;
    let mostHeap = 0;
    const before = process.memoryUsage().heapUsed;
    const result = await new ForgeAgent({ env: fake.env, maxOutputBytes: 10_000 }).generate({
      prompt: "x",
      rootDir: fake.cwd,
      onStdout(text) {
        pieces += 1;
        characters += text.length;
        mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed);
      },
    });
    expect(characters).toBe(times * (line.length + 1));
    expect(pieces).toBeLessThan(times / 20);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(10_000);
    expect(result.truncated).toBe(true);
    // All of the output would be 21 MB, as text twice that.
    expect(mostHeap - before).toBeLessThan(100_000_000);
  });

  it("has its answer cut at the limit, which is said once", async () => {
    fake = createFakeTool("claude");
    fake.plays([{ lines: [{ type: "result", is_error: false, result: "é".repeat(5_000) }] }]);
    const events: AgentCliEvent[] = [];
    const result = await new ClaudeCodeAgent({ env: fake.env, maxOutputBytes: 1_001 }).generate({
      prompt: "x",
      rootDir: fake.cwd,
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ text: "é".repeat(500), truncated: true });
    const cuts = events.filter((event) => event.type === "action" && event.action.title === "truncated");
    expect(cuts).toHaveLength(1);
  });

  it("keeps within the run's limit when it has none of its own", async () => {
    fake = createFakeTool("gemini");
    fake.plays([
      { lines: [{ type: "message", role: "assistant", content: "x".repeat(2_000), delta: true }] },
      { lines: [{ type: "result", status: "success" }] },
    ]);
    const call = { prompt: "x", rootDir: fake.cwd, maxOutputBytes: 300 };
    expect((await new GeminiAgent({ env: fake.env }).generate(call)).text).toHaveLength(300);
    expect((await new GeminiAgent({ env: fake.env, maxOutputBytes: 500 }).generate(call)).text).toHaveLength(
      500,
    );
  });

  it("sends no giant events", async () => {
    fake = createFakeTool("codex");
    const item = {
      id: "1",
      type: "command_execution",
      command: "y".repeat(50_000),
      aggregated_output: "z".repeat(90_000),
    };
    fake.plays([
      {
        lines: [
          { type: "item.started", item },
          { type: "item.completed", item: { ...item, exit_code: 0, status: "completed" } },
          { type: "item.completed", item: { id: "2", type: "agent_message", text: "w".repeat(90_000) } },
          { type: "turn.completed" },
        ],
      },
    ]);
    const sizes: number[] = [];
    await new CodexAgent({ env: fake.env }).generate({
      prompt: "x",
      rootDir: fake.cwd,
      onEvent: (event) => sizes.push(JSON.stringify(event).length),
    });
    expect(Math.max(...sizes)).toBeLessThan(20_000);
  });

  it("takes a prompt of any size", async () => {
    fake = createFakeTool("claude");
    fake.plays([{ lines: [{ type: "result", is_error: false, result: "ok" }] }]);
    const prompt = "long prompt ".repeat(200_000);
    await new ClaudeCodeAgent({ env: fake.env }).generate({ prompt, rootDir: fake.cwd });
    expect(fake.lastCall().stdin).toBe(prompt);
  });
});
