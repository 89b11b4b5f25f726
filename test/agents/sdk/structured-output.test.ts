import { hasToolCall, stepCountIs, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

let server: ModelServer;

beforeEach(() => {
  vi.stubEnv("ANTHROPIC_API_KEY", "test-key");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

async function start(script: Script): Promise<string> {
  server = await startModelServer(script);
  vi.stubEnv("ANTHROPIC_BASE_URL", server.baseURL);
  return server.baseURL;
}

const body = (number = 1) => server.requests[number - 1]?.body ?? {};
const schema = z.object({ title: z.string(), score: z.number() });
const good = { title: "x", score: 1 };

/** A tool that a model may call for ever. */
const look = tool({ inputSchema: z.object({}), execute: async () => "nothing yet" });
const looking = { toolCalls: [{ name: "look", input: {} }] };

const tree = z.object({
  get children(): z.ZodArray<typeof tree> {
    return z.array(tree);
  },
});

describe("native structured output", () => {
  it("closes the schema and asks Anthropic for its own JSON format", async () => {
    await start([{ object: good }]);
    const agent = new AnthropicAgent({ model: "claude-sonnet-4-5" });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, mode: "native" });
    expect(body()).toMatchObject({
      output_config: { format: { type: "json_schema", schema: { additionalProperties: false } } },
    });
    expect(body()).not.toHaveProperty("tools");
  });

  it("asks OpenAI for a strict schema when the schema is strict", async () => {
    const baseURL = await start([{ object: good }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none" });
    await generateStructured({ agent, prompt: "p", schema });
    expect(body()).toMatchObject({
      response_format: { type: "json_schema", json_schema: { strict: true, name: "answer" } },
    });
  });

  it.each([
    ["optional properties", z.object({ a: z.string().optional() }), {}],
    ["maps", z.object({ a: z.record(z.string(), z.number()) }), { a: { x: 1 } }],
    [
      "alternatives by discriminator",
      z.object({
        a: z.discriminatedUnion("k", [z.object({ k: z.literal("x") }), z.object({ k: z.literal("y") })]),
      }),
      { a: { k: "y" } },
    ],
    ["defaults", z.object({ a: z.string().default("z") }), { a: "y" }],
  ])("tells OpenAI that a schema with %s is not strict", async (_name, loose, object) => {
    const baseURL = await start([{ object }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none" });
    await generateStructured({ agent, prompt: "p", schema: loose });
    expect(body()).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  it("leaves the strictness alone when the options set it", async () => {
    const baseURL = await start([{ object: {} }]);
    const providerOptions = { openai: { strictJsonSchema: true, user: "u1" } };
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none", providerOptions });
    await agent.generate({ prompt: "p", outputSchema: z.object({ a: z.string().optional() }) });
    expect(body()).toMatchObject({ user: "u1", response_format: { json_schema: { strict: true } } });
  });

  it("hands a wrong object back inside the conversation, without repeating the task", async () => {
    const baseURL = await start([{ object: { title: "x" } }, { object: good }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none" });
    const result = await generateStructured({ agent, prompt: "task-marker", schema });
    expect(result).toMatchObject({ row: good, schemaRetries: 1 });
    expect(body(2)["messages"]).toEqual([
      { role: "user", content: "task-marker" },
      { role: "assistant", content: '{"title":"x"}' },
      { role: "user", content: expect.stringContaining("score: Invalid input") },
    ]);
    expect(result.calls.map((call) => call.usage?.inputTokens)).toEqual([10, 10]);
  });

  it("says that an answer was cut off at the token limit", async () => {
    const baseURL = await start([{ text: '{"title":"x', finish: "length" }, { object: good }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none" });
    const issues: string[] = [];
    await generateStructured({
      agent,
      prompt: "p",
      schema,
      onSchemaRetry: (retry) => issues.push(...retry.issues),
    });
    expect(issues).toEqual(["The answer was cut off at the limit of output tokens: make it shorter."]);
  });

  it("applies transforms once", async () => {
    const baseURL = await start([{ object: { n: "4" } }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none" });
    const transforming = z.object({ n: z.string().transform((text) => Number(text) + 1) });
    const { row } = await generateStructured({ agent, prompt: "p", schema: transforming });
    expect(row).toEqual({ n: 5 });
  });
});

describe("the tool mode of Anthropic's models", () => {
  it("is used and reported for models without native structured output", async () => {
    await start([{ object: good }]);
    const agent = new AnthropicAgent({ model: "claude-3-haiku-20240307" });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, mode: "tool" });
    expect(server.requests[0]?.tools).toEqual(["json"]);
  });

  it.each([
    [
      "maps, which the native mode would return empty",
      z.object({ map: z.record(z.string(), z.number()) }),
      { map: { a: 1 } },
    ],
    ["recursion, which it rejects", z.object({ tree }), { tree: { children: [] } }],
    ["many optional properties, which it rejects", manyOptional(11), { p3: "x" }],
  ])("is used for schemas with %s", async (_name, difficult, object) => {
    await start([{ object }]);
    const agent = new AnthropicAgent({ model: "claude-sonnet-4-5" });
    const result = await generateStructured({ agent, prompt: "p", schema: difficult });
    expect(result).toMatchObject({ row: object, mode: "tool" });
  });

  it("ends a loop of tool calls with the object all the same", async () => {
    await start(({ tools }) => (tools.includes("look") ? looking : { object: good }));
    const agent = new AnthropicAgent({
      model: "claude-3-haiku-20240307",
      tools: { look },
      stopWhen: stepCountIs(2),
    });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, mode: "tool", schemaRetries: 0 });
    expect(server.requests.map((request) => request.tools)).toEqual([
      ["look", "json"],
      ["look", "json"],
      ["json"],
    ]);
  });
});

describe("tools together with a schema", () => {
  const answersWhenToldTo: Script = ({ body: sent }) =>
    sent["tool_choice"] === "none" ? { object: good } : looking;

  it("ends with the object when the model finds it by itself", async () => {
    const baseURL = await start([looking, { object: good }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none", tools: { look } });
    expect((await generateStructured({ agent, prompt: "p", schema })).row).toEqual(good);
    expect(server.requests).toHaveLength(2);
  });

  it("forces the object out of one more step when the step limit is reached", async () => {
    const baseURL = await start(answersWhenToldTo);
    const agent = new OpenAIAgent({
      model: "m",
      baseURL,
      apiKey: "none",
      tools: { look },
      stopWhen: stepCountIs(3),
    });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, schemaRetries: 0 });
    expect(server.requests.map((request) => request.body["tool_choice"])).toEqual([
      "auto",
      "auto",
      "auto",
      "none",
    ]);
  });

  it("forces the object after 20 steps by default", async () => {
    const baseURL = await start(answersWhenToldTo);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none", tools: { look } });
    await generateStructured({ agent, prompt: "p", schema });
    expect(server.requests).toHaveLength(21);
  });

  it("forces the object after any of the stop conditions", async () => {
    const baseURL = await start(answersWhenToldTo);
    const stopWhen = [stepCountIs(9), hasToolCall("look")];
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none", tools: { look }, stopWhen });
    await generateStructured({ agent, prompt: "p", schema });
    expect(server.requests).toHaveLength(2);
  });

  it("keeps what prepareStep and prepareCall of the options say", async () => {
    const baseURL = await start(answersWhenToldTo);
    const agent = new OpenAIAgent({
      model: "m",
      baseURL,
      apiKey: "none",
      tools: { look },
      prepareStep: ({ stepNumber }) => ({ temperature: stepNumber }),
      prepareCall: (call) => ({ ...call, instructions: "prepared-marker", stopWhen: stepCountIs(1) }),
    });
    await generateStructured({ agent, prompt: "p", schema });
    expect(server.requests.map((request) => request.body["temperature"])).toEqual([0, 1]);
    expect(JSON.stringify(body(1))).toContain("prepared-marker");
  });

  it("adds no step when no object is asked for", async () => {
    const baseURL = await start([looking, looking]);
    const agent = new OpenAIAgent({
      model: "m",
      baseURL,
      apiKey: "none",
      tools: { look },
      stopWhen: stepCountIs(2),
    });
    expect(await agent.generate({ prompt: "p" })).toMatchObject({ text: "", finishReason: "tool-calls" });
  });
});

describe("prompted structured output", () => {
  it("is what CompatAgent does by default", async () => {
    const baseURL = await start([{ text: `Sure:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`` }]);
    const result = await generateStructured({ agent: new CompatAgent({ baseURL }), prompt: "p", schema });
    expect(result).toMatchObject({ row: good, mode: "prompted" });
    expect(body()).not.toHaveProperty("response_format");
    expect(JSON.stringify(body()["messages"])).toContain("Answer with one bare JSON object");
  });

  it("is what OpenAIAgent does when native output is turned off", async () => {
    const baseURL = await start([{ object: good }]);
    const agent = new OpenAIAgent({ model: "m", baseURL, apiKey: "none", nativeStructuredOutput: false });
    expect((await generateStructured({ agent, prompt: "p", schema })).mode).toBe("prompted");
    expect(body()).not.toHaveProperty("response_format");
  });

  it("works in a direct call as well", async () => {
    const baseURL = await start([{ text: `So: ${JSON.stringify(good)}` }]);
    const result = await new CompatAgent({ baseURL }).generate({ prompt: "p", outputSchema: schema });
    expect(result).toMatchObject({ output: good, mode: "prompted" });
    expect(JSON.stringify(body()["messages"])).toContain("JSON Schema");
  });

  it("keeps tool results in the conversation when an answer has to be corrected", async () => {
    const baseURL = await start([looking, { text: "I looked." }, { object: good }]);
    const agent = new CompatAgent({ baseURL, tools: { look } });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: good, schemaRetries: 1 });
    const roles = (body(3)["messages"] as { role: string }[]).map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });
});

function manyOptional(count: number): z.ZodObject {
  return z.object(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, z.string().optional()])),
  );
}
