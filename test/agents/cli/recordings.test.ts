import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentCliEvent } from "../../../src/model/agent.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool, recording } from "./support/fake-tool.js";

/*
 * Every recording is of the same run: the agent executes `echo hi`, then answers PONG. Those of Claude
 * Code, Codex, Gemini CLI, Pi and OpenCode were made with the tools themselves against a model server on
 * loopback; the others follow what the tools document.
 */
describe.each(TOOLS)("the output of $command", (tool) => {
  let fake: FakeTool;
  let replayed: Awaited<ReturnType<typeof replay>>;
  beforeAll(async () => {
    replayed = await replay();
  });
  afterAll(() => fake.remove());

  async function replay() {
    fake = createFakeTool(tool.command);
    fake.plays({ commands: tool.recordedCommands ?? {}, steps: [recording(tool.recording)] });
    const events: AgentCliEvent[] = [];
    let said = "";
    const result = await tool.create({ env: fake.env }).generate({
      prompt: "Say pong",
      rootDir: fake.cwd,
      onEvent: (event) => events.push(event),
      onStdout: (text) => {
        said += text;
      },
    });
    return { result, events, said };
  }

  it("gives the final answer without what led to it", () => {
    const { result } = replayed;
    expect(result.text.trim()).toBe("PONG");
  });

  it("gives the conversation's id and the tokens, as far as the tool tells them", () => {
    const { result } = replayed;
    if (tool.recordedSession !== undefined) expect(result.sessionId).toBe(tool.recordedSession);
    expect(result.usage).toEqual(tool.recordedUsage);
  });

  it("tells of the command while it runs", () => {
    const { events } = replayed;
    const commands = events.filter((event) => event.type === "action" && event.action.kind === "command");
    expect(JSON.stringify(commands)).toContain("echo hi");
    // Forge prints what it does, but not when it is done.
    if (tool.engine !== "forge") expect(commands.at(-1)).toMatchObject({ phase: "completed", ok: true });
  });

  it("names the conversation at the start, so that it can be resumed after a crash", () => {
    const { events, result } = replayed;
    const [started] = events;
    expect(started?.type).toBe("started");
    // These two tell it when they are done.
    if (tool.engine !== "vibe" && tool.engine !== "kimi")
      expect(started).toMatchObject({ resume: result.sessionId });
  });

  it("passes the agent's words on as they are said", () => {
    const { said } = replayed;
    expect(said).toContain("PONG");
    expect(said).not.toContain('"type"');
  });
});
