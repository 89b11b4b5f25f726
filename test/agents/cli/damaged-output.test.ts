import { afterEach, describe, expect, it } from "vitest";
import { ClaudeCodeAgent } from "../../../src/agents/cli/index.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

const JSON_TOOLS = TOOLS.filter(({ engine }) => engine !== "forge");

describe("output that is damaged", () => {
  it.each(JSON_TOOLS)("does not hide the answer of $command when lines in it are garbage", async (tool) => {
    fake = createFakeTool(tool.command);
    const garbage = [
      "Warning: something is deprecated",
      '{"type":"assistant","message":{"content":[{"type":"te',
      "null",
      "[1,2,3]",
      '"just a text"',
      "{}",
      '{"type":42,"event":null,"role":[]}',
      '{"type":"item.completed","item":"not an object","part":7,"message":[]}',
      "\u0000\u0001\u0002",
      "",
    ].join("\n");
    fake.plays([{ out: `${garbage}\n` }, ...tool.answers("Here I am."), { out: '{"half' }]);
    const result = await tool.create({ env: fake.env }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(result.text.trim()).toBe("Here I am.");
  });

  it.each(JSON_TOOLS)("may lack the last line feed of $command", async (tool) => {
    fake = createFakeTool(tool.command);
    const lines = tool.answers("No newline.").flatMap((step) => ("lines" in step ? step.lines : []));
    fake.plays([{ out: lines.map((line) => JSON.stringify(line)).join("\n") }]);
    const result = await tool.create({ env: fake.env }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(result.text.trim()).toBe("No newline.");
  });

  it("may arrive in pieces", async () => {
    fake = createFakeTool("claude");
    const line = JSON.stringify({ type: "result", is_error: false, result: "naïve ✓ 🧵" });
    const at = line.indexOf("✓");
    fake.plays([
      { out: line.slice(0, at) },
      { out: line.slice(at, at + 2) },
      { out: `${line.slice(at + 2)}\n` },
    ]);
    const result = await new ClaudeCodeAgent({ env: fake.env }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(result.text).toBe("naïve ✓ 🧵");
  });

  it("is left out, and said to be, when a line is longer than anyone needs", async () => {
    fake = createFakeTool("claude");
    const huge = JSON.stringify({ type: "user", message: { content: "x".repeat(4_000_000) } });
    fake.plays([
      { out: `${huge}\n` },
      { lines: [{ type: "result", is_error: false, result: "Still here." }] },
    ]);
    const events: AgentCliEvent[] = [];
    const result = await new ClaudeCodeAgent({ env: fake.env }).generate({
      prompt: "x",
      rootDir: fake.cwd,
      onEvent: (event) => events.push(event),
    });
    expect(result.text).toBe("Still here.");
    expect(events).toContainEqual(
      expect.objectContaining({ level: "warning", message: expect.stringContaining(`${huge.length} bytes`) }),
    );
  });
});
