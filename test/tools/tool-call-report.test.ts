import { describe, expect, it } from "vitest";
import { createTools, type ToolCallReport, type ToolContextOptions } from "../../src/tools/index.js";
import { manualClock } from "./support/manual-clock.js";
import { workspace } from "./support/workspace.js";

async function observedTools(options: ToolContextOptions, files: Record<string, string>) {
  const reports: ToolCallReport[] = [];
  const starts: unknown[] = [];
  const tools = createTools({
    rootDir: await workspace(files),
    onToolStart: (call) => starts.push(call),
    onToolCall: (report) => reports.push(report),
    ...options,
  });
  return { tools, reports, starts };
}

describe("the report of a tool call", () => {
  it("names tool, call, order, duration and status", async () => {
    const clock = manualClock();
    const { tools, reports, starts } = await observedTools({ clock }, { "a.txt": "text" });
    const reading = tools.read.execute({ path: "a.txt" }, { toolCallId: "call-7" });
    clock.advance(30);
    await reading;
    expect(starts).toEqual([{ toolName: "read", toolCallId: "call-7", seq: 1, sideEffect: false }]);
    expect(reports).toEqual([
      { toolName: "read", toolCallId: "call-7", seq: 1, durationMs: 30, status: "success", truncated: false },
    ]);
  });

  it("numbers the calls of all tools in one row", async () => {
    const { tools, reports } = await observedTools({}, { "a.txt": "text" });
    await tools.read.execute({ path: "a.txt" });
    await tools.grep.execute({ pattern: "text" });
    expect(reports.map(({ toolName, seq }) => [toolName, seq])).toEqual([
      ["read", 1],
      ["grep", 2],
    ]);
  });

  it("says error for a call that throws", async () => {
    const { tools, reports } = await observedTools({}, {});
    await expect(tools.read.execute({ path: "missing" })).rejects.toThrow();
    expect(reports[0]?.status).toBe("error");
  });

  it("says truncated when the output limit cut something off", async () => {
    const { tools, reports } = await observedTools(
      { maxOutputBytes: 200 },
      { "a.txt": "word\n".repeat(100) },
    );
    await tools.grep.execute({ pattern: "word" });
    expect(reports[0]).toMatchObject({ status: "success", truncated: true });
  });
});
