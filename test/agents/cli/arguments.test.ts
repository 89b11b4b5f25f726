import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BaseCliAgentOptions } from "../../../src/agents/cli/index.js";
import { TOOLS, type ToolUnderTest } from "./support/engines.js";
import { createFakeTool, type FakeTool, type ToolCallRecord } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

/** How an agent with these options calls its tool for one prompt. */
async function callOf(
  tool: ToolUnderTest,
  options: BaseCliAgentOptions = {},
  args: Record<string, unknown> = {},
): Promise<ToolCallRecord> {
  fake = createFakeTool(tool.command);
  fake.plays(tool.answers("ok"));
  const env = { ...fake.env, ...options.env };
  await tool.create({ ...options, env }).generate({ prompt: "Do it", rootDir: fake.cwd, ...args });
  return fake.lastCall();
}

describe.each(TOOLS)("a call of $command", (tool) => {
  let call: ToolCallRecord;
  let cwd: string;
  beforeAll(async () => {
    call = await callOf(tool, {
      env: { MY_SETTING: "on" },
      extraArgs: ["--one-more", "thing"],
      systemPrompt: "You are terse.",
      instructions: "Use metres.",
    });
    cwd = fake.cwd;
    fake.remove();
  });

  it("has prompt, folder, variables and extra arguments", () => {
    expect(call.cwd).toBe(cwd);
    expect(call.env["MY_SETTING"]).toBe("on");
    expect(call.argv.join(" ")).toContain("--one-more thing");
    const prompt = tool.promptIn === "stdin" ? call.stdin : call.argv.join(" ");
    expect(prompt).toContain("Do it");
    if (tool.promptIn === "stdin") expect(call.argv.join(" ")).not.toContain("Do it");
  });

  it("asks for output without colours", () => {
    expect(call.env["NO_COLOR"]).toBe("1");
    expect(call.env["FORCE_COLOR"]).toBeUndefined();
  });

  it("tells the system prompt and the instructions", () => {
    const heard = `${call.argv.join("\n")}\n${call.stdin}`;
    expect(heard).toContain("You are terse.");
    expect(heard).toContain("Use metres.");
  });

  it("continues the conversation that the call names", async () => {
    const resumed = await callOf(tool, {}, { resumeSession: "the-id" });
    expect(resumed.argv.join(" ")).toContain(tool.resumes("the-id").join(" "));
  });

  it("happens in the agent's own folder, below the task's", async () => {
    fake = createFakeTool(tool.command);
    fake.plays(tool.answers("ok"));
    mkdirSync(join(fake.cwd, "inner"));
    await tool.create({ env: fake.env, cwd: "inner" }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(fake.lastCall().cwd).toBe(join(fake.cwd, "inner"));
  });
});
