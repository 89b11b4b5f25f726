import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTools } from "../../src/tools/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const names = [
  "service_tool_calls_total",
  "service_tool_calls_errors_total",
  "service_tool_output_truncated_total",
  "service_tool_duration_ms_count",
] as const;

function toolsOn(text: string, maxOutputBytes = 200_000) {
  const rootDir = temporaryFolder();
  writeFileSync(join(rootDir, "a.txt"), text);
  return createTools({ rootDir, maxOutputBytes });
}

describe("a call of a built-in tool is counted", () => {
  it("when it succeeds", async () => {
    const changes = watchMetrics();
    await toolsOn("text").read.execute({ path: "a.txt" });
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 0, 1]);
  });

  it("when it fails", async () => {
    const changes = watchMetrics();
    await expect(toolsOn("text").read.execute({ path: "b.txt" })).rejects.toThrow();
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 1, 0, 1]);
  });

  it("when its output is cut", async () => {
    const changes = watchMetrics();
    const { grep } = toolsOn("needle\n".repeat(1000), 100);
    await grep.execute({ pattern: "needle" });
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 1, 1]);
  });
});
