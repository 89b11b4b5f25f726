import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createDemoAgent, DemoAgent } from "../../../src/agents/demo/demo-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";

const schema = z.object({ title: z.string(), done: z.boolean() });

describe("DemoAgent without a script", () => {
  it("invents an object for an output schema", async () => {
    const { row, mode } = await generateStructured({ agent: createDemoAgent(), prompt: "Plan.", schema });
    expect(row).toEqual({ title: "Demo title", done: true });
    expect(mode).toBe("native");
  });

  it("answers the same every time", async () => {
    const ask = () => createDemoAgent().generate({ prompt: "Plan.", outputSchema: schema });
    expect(await ask()).toEqual(await ask());
  });

  it("answers a bare prompt with a sentence about it", async () => {
    const { text } = await createDemoAgent().generate({ prompt: "Say hello.\nNicely." });
    expect(text).toBe("Demo answer to: Say hello.");
  });

  it("says what to do when it cannot invent an answer", async () => {
    const picky = z.object({ code: z.string().regex(/^XYZ-\d{9}$/) });
    const args = { prompt: "p", outputSchema: picky, taskContext: { nodeId: "issue-code" } };
    await expect(createDemoAgent().generate(args)).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      message: expect.stringMatching(/task "issue-code".*script/),
    });
  });
});

describe("DemoAgent with a script", () => {
  const agent = new DemoAgent({
    script: {
      write: { title: "By task", done: false },
      "the weather": "It rains.",
      review: [{ done: false }, ({ iteration }) => ({ done: true, title: `round ${iteration}` })],
    },
  });
  const at = (nodeId: string, iteration = 0) => ({ prompt: "p", taskContext: { nodeId, iteration } });

  it("answers by task id", async () => {
    expect((await agent.generate(at("write"))).output).toEqual({ title: "By task", done: false });
  });

  it("answers by task id inside nested loops", async () => {
    expect((await agent.generate(at("write@@outer=2"))).output).toEqual({ title: "By task", done: false });
  });

  it("answers by a text in the prompt", async () => {
    const result = await agent.generate({ prompt: "How is the weather today?" });
    expect(result.text).toBe("It rains.");
    expect(result).not.toHaveProperty("output");
  });

  it("looks at the task id before the prompt", async () => {
    const args = { prompt: "the weather", taskContext: { nodeId: "write" } };
    expect((await agent.generate(args)).output).toMatchObject({ title: "By task" });
  });

  it("takes a list by iteration, the last one again and again", async () => {
    expect((await agent.generate(at("review", 0))).output).toEqual({ done: false });
    expect((await agent.generate(at("review", 1))).output).toEqual({ done: true, title: "round 1" });
    expect((await agent.generate(at("review", 7))).output).toEqual({ done: true, title: "round 7" });
  });

  it("finds texts in messages too", async () => {
    const messages = [{ role: "user", content: "Tell me the weather." }];
    expect((await agent.generate({ messages })).text).toBe("It rains.");
  });

  it("looks in the question only, not in what was said before it", async () => {
    const messages = [{ role: "user", content: "Tell me the weather." }];
    expect((await agent.generate({ prompt: "Who are you?", messages })).text).toBe(
      "Demo answer to: Who are you?",
    );
  });

  it("invents what the script does not answer", async () => {
    expect((await agent.generate({ ...at("other"), outputSchema: schema })).output).toEqual({
      title: "Demo title",
      done: true,
    });
  });
});

describe("DemoAgent as an agent", () => {
  it("reports events, text and tokens as others do", async () => {
    const events: AgentCliEvent[] = [];
    const heard: string[] = [];
    const agent = createDemoAgent({ id: "d1", script: { p: "12345678" } });
    const { usage } = await agent.generate({
      prompt: "p",
      onEvent: (event) => events.push(event),
      onStdout: (text) => heard.push(text),
    });
    expect(usage).toEqual({ inputTokens: 1, outputTokens: 2, model: "demo" });
    expect(heard).toEqual(["12345678"]);
    expect(events.map((event) => event.type)).toEqual(["started", "action", "completed"]);
    expect(events.at(-1)).toMatchObject({ ok: true, answer: "12345678", usage });
  });

  it("obeys a signal that has fired", async () => {
    const reason = new Error("cancelled");
    await expect(
      createDemoAgent().generate({ prompt: "p", abortSignal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});
