import { tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CompatAgent, type CompatAgentOptions } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { AgentCliEvent, AgentGenerateOptions } from "../../../src/model/agent.js";
import { createOpenAI } from "@ai-sdk/openai";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

type Action = Extract<AgentCliEvent, { type: "action" }>;

let server: ModelServer;

afterEach(() => server.close());

async function hear(
  script: Script,
  { agent = {}, args = {} }: { agent?: CompatAgentOptions; args?: AgentGenerateOptions } = {},
) {
  server = await startModelServer(script);
  const actions: Action[] = [];
  const stdout: string[] = [];
  const result = await new CompatAgent({ baseURL: server.baseURL, ...agent }).generate({
    prompt: "p",
    ...args,
    onEvent: (event) => {
      if (event.type === "action") actions.push(event);
    },
    onStdout: (text) => stdout.push(text),
  });
  return { actions, pieces: stdout, stdout: stdout.join(""), result };
}

const messages = (actions: Action[]) => actions.filter((action) => action.entryType === "message");
const tools = (actions: Action[]) => actions.filter((action) => action.action.kind === "tool");

describe("text in events", () => {
  const long = Array.from({ length: 100 }, (_, index) => `word${index} `).join("");

  it("comes in pieces while it is written, and whole at the end", async () => {
    const { actions } = await hear([{ text: long }]);
    const heard = messages(actions);
    const updates = heard.filter((action) => action.phase === "updated");
    expect(updates.length).toBeGreaterThan(1);
    expect(long.startsWith(updates.map((action) => action.message).join(""))).toBe(true);
    expect(heard.at(-1)).toMatchObject({ phase: "completed", message: long, ok: true });
  });

  it("comes in few pieces, however small those of the model are", async () => {
    const written: string[] = [];
    const onText = (text: string) => void written.push(text);
    const { actions, pieces } = await hear([{ text: long, piece: 1 }], { args: { onText } });
    // For who watches, they come as they are.
    expect(written.join("")).toBe(long);
    expect(written.length).toBeGreaterThan(10 * pieces.length);
    expect(messages(actions).length).toBeLessThanOrEqual(Math.ceil(long.length / 200) + 1);
    expect(pieces.length).toBeLessThanOrEqual(Math.ceil(long.length / 80));
  });

  it("reaches onStdout line by line", async () => {
    const { pieces } = await hear([{ text: "first\nsecond\nthird", piece: 3 }]);
    expect(pieces).toEqual(["first\n", "second\n", "third"]);
  });

  it("is forwarded up to maxOutputBytes, the answer stays whole", async () => {
    const { actions, stdout, result } = await hear([{ text: long }], { args: { maxOutputBytes: 300 } });
    expect(stdout).toBe(long.slice(0, 300));
    expect(messages(actions).at(-1)?.message).toBe(long.slice(0, 300));
    expect(result.text).toBe(long);
  });
});

describe("tool calls in events", () => {
  const call = (input: unknown) => ({ toolCalls: [{ name: "work", input, id: "c1" }] });
  const work = (execute: (input: { text: string }) => unknown) =>
    tool({ inputSchema: z.object({ text: z.string() }), execute: async (input) => execute(input) });

  it("show a tool that failed, and the model gets the error", async () => {
    const { actions } = await hear([call({ text: "x" }), { text: "Sorry." }], {
      agent: {
        tools: {
          work: work(() => {
            throw new Error("tool-failure-marker");
          }),
        },
      },
    });
    expect(tools(actions)).toMatchObject([
      { phase: "started", action: { id: "c1", title: "work" } },
      { phase: "completed", ok: false, level: "error", message: "tool-failure-marker", action: { id: "c1" } },
    ]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("tool-failure-marker");
  });

  it("show input that the tool's schema refuses as a failure", async () => {
    const { actions } = await hear([call({ text: 7 }), { text: "Sorry." }], {
      agent: { tools: { work: work(() => 1) } },
    });
    expect(tools(actions).at(-1)).toMatchObject({ phase: "completed", ok: false });
  });

  it("show the beginning of long inputs and results", async () => {
    const { actions } = await hear([call({ text: "x".repeat(50_000) }), { text: "Done." }], {
      agent: { tools: { work: work(({ text }) => text) } },
    });
    for (const { action } of tools(actions)) expect(JSON.stringify(action.detail).length).toBeLessThan(5_000);
  });

  it.each<[string, () => unknown]>([
    ["a bigint", () => 10n],
    [
      "an object that contains itself",
      () => {
        const whole: { part?: unknown } = {};
        whole.part = whole;
        return whole;
      },
    ],
  ])("show a result without JSON as a text, and fail no call: %s", async (_what, odd) => {
    const { actions, result } = await hear([call({ text: "x" }), { text: "Done." }], {
      agent: { tools: { work: work(odd) } },
    });
    expect(result.text).toBe("Done.");
    expect(tools(actions).at(-1)?.action.detail).toEqual({ output: String(odd()) });
  });
});

describe("reasoning in events", () => {
  it("is a thought, and no part of the text", async () => {
    server = await startModelServer([{ reasoning: "Let me think.", text: "42" }]);
    const model = createOpenAI({ baseURL: server.baseURL, apiKey: "k" }).responses("o4-mini");
    const thoughts: string[] = [];
    const heard: string[] = [];
    const result = await new OpenAIAgent({ model }).generate({
      prompt: "p",
      onEvent(event) {
        if (event.type === "action" && event.entryType === "thought") thoughts.push(event.message ?? "");
      },
      onStdout: (text) => heard.push(text),
    });
    expect(thoughts).toEqual(["Let me think."]);
    expect(heard.join("")).toBe("42");
    expect(result.text).toBe("42");
  });
});

describe("the tokens of a call that fails in its second step", () => {
  it("are those of the first", async () => {
    server = await startModelServer([
      { toolCalls: [{ name: "work", input: {} }], usage: { input: 7, output: 3 } },
      { status: 500, message: "Busy." },
    ]);
    const events: AgentCliEvent[] = [];
    const work = tool({ inputSchema: z.object({}), execute: async () => 1 });
    const agent = new CompatAgent({ baseURL: server.baseURL, tools: { work } });
    const call = agent.generate({ prompt: "p", onEvent: (event) => events.push(event) });
    await expect(call).rejects.toMatchObject({ code: "AGENT_PROVIDER_ERROR" });
    expect(events.at(-1)).toMatchObject({
      type: "completed",
      ok: false,
      usage: { inputTokens: 7, outputTokens: 3 },
    });
  });
});
