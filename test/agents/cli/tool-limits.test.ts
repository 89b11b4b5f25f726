import { afterEach, describe, expect, it } from "vitest";
import { ClaudeCodeAgent, OpenCodeAgent, PiAgent, VibeAgent } from "../../../src/agents/cli/index.js";
import type { AgentLike } from "../../../src/model/agent.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool, type ToolCallRecord } from "./support/fake-tool.js";
import { flagValue, flagValues } from "./support/observe.js";

let fake: FakeTool;
afterEach(() => fake.remove());

async function callOf(
  command: string,
  create: (env: Record<string, string>) => AgentLike,
  args: Record<string, unknown>,
): Promise<ToolCallRecord> {
  fake = createFakeTool(command);
  const tool = TOOLS.find((candidate) => candidate.command === command);
  fake.plays(tool?.answers("ok") ?? []);
  await create(fake.env).generate({ prompt: "x", rootDir: fake.cwd, ...args });
  return fake.lastCall();
}

const EXPLICIT_ONLY = { cliAgentToolsDefault: "explicit-only" };

describe("a task that names its tools", () => {
  it("is given no others by Claude Code", async () => {
    const create = (env: Record<string, string>) => new ClaudeCodeAgent({ env, allowedTools: ["Write"] });
    const call = await callOf("claude", create, { allowTools: ["Read", "Bash(git *)", "Bash(ls *)"] });
    expect(flagValue(call, "--tools")).toBe("Read,Bash");
    expect(flagValue(call, "--allowedTools")).toBe("Read,Bash(git *),Bash(ls *)");
  });

  it("is given no others by Pi", async () => {
    const create = (env: Record<string, string>) => new PiAgent({ env, tools: ["bash"] });
    const call = await callOf("pi", create, { allowTools: ["read", "grep"] });
    expect(flagValues(call, "--tools")).toEqual(["read,grep"]);
    expect(call.argv).not.toContain("--no-tools");
  });

  it("is given no others by Vibe", async () => {
    const call = await callOf("vibe", (env) => new VibeAgent({ env }), { allowTools: ["grep"] });
    expect(flagValues(call, "--enabled-tools")).toEqual(["grep"]);
  });

  it("is given no others by OpenCode, whose other configuration stays", async () => {
    const create = (env: Record<string, string>) =>
      new OpenCodeAgent({
        env: { ...env, OPENCODE_CONFIG_CONTENT: '{"theme":"dark","tools":{"bash":true}}' },
      });
    const call = await callOf("opencode", create, { allowTools: ["read"] });
    expect(JSON.parse(call.env["OPENCODE_CONFIG_CONTENT"] as string)).toEqual({
      theme: "dark",
      tools: { "*": false, read: true },
    });
  });
});

describe("a run that wants tools to be named", () => {
  it("leaves an agent the tools of its options", async () => {
    const create = (env: Record<string, string>) => new ClaudeCodeAgent({ env, allowedTools: ["Edit"] });
    expect(flagValue(await callOf("claude", create, EXPLICIT_ONLY), "--tools")).toBe("Edit");
  });

  it("leaves an agent that names none without any", async () => {
    expect(
      flagValue(await callOf("claude", (env) => new ClaudeCodeAgent({ env }), EXPLICIT_ONLY), "--tools"),
    ).toBe("");
    fake.remove();
    expect((await callOf("pi", (env) => new PiAgent({ env }), EXPLICIT_ONLY)).argv).toContain("--no-tools");
    fake.remove();
    const vibe = await callOf("vibe", (env) => new VibeAgent({ env }), EXPLICIT_ONLY);
    expect(flagValues(vibe, "--enabled-tools")).toEqual(["re:^$"]);
    fake.remove();
    const opencode = await callOf("opencode", (env) => new OpenCodeAgent({ env }), EXPLICIT_ONLY);
    expect(JSON.parse(opencode.env["OPENCODE_CONFIG_CONTENT"] as string)).toEqual({ tools: { "*": false } });
  });
});

describe("a tool that cannot be limited", () => {
  const unlimited = TOOLS.filter(({ engine }) => !["claude-code", "pi", "vibe", "opencode"].includes(engine));

  it.each(unlimited)("is not started at all: $command", async (tool) => {
    fake = createFakeTool(tool.command);
    fake.plays(tool.answers("ok"));
    const agent = tool.create({ env: fake.env });
    for (const limit of [{ allowTools: ["read"] }, EXPLICIT_ONLY]) {
      await expect(agent.generate({ prompt: "x", rootDir: fake.cwd, ...limit })).rejects.toMatchObject({
        code: "AGENT_CONFIG_INVALID",
        details: { option: "allowTools" },
      });
    }
    expect(fake.calls()).toEqual([]);
  });
});
