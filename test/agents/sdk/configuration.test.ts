import { createOpenAI } from "@ai-sdk/openai";
import { MockLanguageModelV3 } from "ai/test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClaudeCodeAgent } from "../../../src/agents/cli/engines/claude-code.js";
import { AnthropicAgent, ProviderAgentA } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { packageMissing } from "../../../src/agents/sdk/load-package.js";
import { OpenAIAgent, ProviderAgentB } from "../../../src/agents/sdk/openai-agent.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

let server: ModelServer;

beforeEach(async () => {
  for (const provider of ["ANTHROPIC", "OPENAI", "COMPAT"]) {
    vi.stubEnv(`${provider}_API_KEY`, undefined);
    vi.stubEnv(`${provider}_BASE_URL`, undefined);
  }
  server = await startModelServer(() => ({ text: "ok" }));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const asked = () => server.requests[0];
const invalid = expect.objectContaining({ code: "AGENT_CONFIG_INVALID" });

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe("an SDK agent", () => {
  it("has aliases by position", () => {
    expect(ProviderAgentA).toBe(AnthropicAgent);
    expect(ProviderAgentB).toBe(OpenAIAgent);
  });

  it("is named after engine and model unless the options name it", () => {
    const agent = new OpenAIAgent({ model: "m1" });
    expect(agent).toMatchObject({ id: "openai:m1", engine: "openai", model: "m1" });
    expect(new OpenAIAgent({ model: "m1", id: "writer" }).id).toBe("writer");
  });

  it("takes no model whose id is not a text", () => {
    expect(thrownBy(() => new OpenAIAgent({ model: { modelId: 5 } as never }))).toEqual(invalid);
  });

  it("uses native structured output by default, CompatAgent does not", () => {
    const baseURL = server.baseURL;
    expect(new AnthropicAgent({ model: "m" }).supportsNativeStructuredOutput).toBe(true);
    expect(new OpenAIAgent({ model: "m" }).supportsNativeStructuredOutput).toBe(true);
    expect(
      new OpenAIAgent({ model: "m", nativeStructuredOutput: false }).supportsNativeStructuredOutput,
    ).toBe(false);
    expect(new CompatAgent({ baseURL }).supportsNativeStructuredOutput).toBe(false);
    expect(new CompatAgent({ baseURL, nativeStructuredOutput: true }).supportsNativeStructuredOutput).toBe(
      true,
    );
  });

  it("takes a prebuilt model instance", async () => {
    const model = createOpenAI({ baseURL: server.baseURL, apiKey: "instance-key" }).responses("prebuilt");
    const agent = new OpenAIAgent({ model });
    await agent.preflight();
    await agent.generate({ prompt: "p" });
    expect(agent.model).toBe("prebuilt");
    expect(asked()).toMatchObject({ protocol: "openai-responses", body: { model: "prebuilt" } });
    expect(asked()?.headers["authorization"]).toBe("Bearer instance-key");
  });

  it("takes an instance of any provider", async () => {
    const model = createOpenAI({ baseURL: server.baseURL, apiKey: "k" }).chat("other");
    expect((await new AnthropicAgent({ model }).generate({ prompt: "p" })).text).toBe("ok");
  });

  it.each([AnthropicAgent, OpenAIAgent, CompatAgent])("refuses options that are none: %o", (Agent) => {
    expect(thrownBy(() => new Agent(null as never))).toEqual(invalid);
    expect(thrownBy(() => new Agent("model-1" as never))).toEqual(invalid);
  });

  it("refuses to be built without a model", () => {
    const options = {} as { model: string };
    expect(thrownBy(() => new AnthropicAgent(options))).toEqual(invalid);
    expect(thrownBy(() => new OpenAIAgent(options))).toEqual(invalid);
    expect(thrownBy(() => new OpenAIAgent({ model: "" }))).toEqual(invalid);
  });

  it.each(["baseURL", "apiKey"])("refuses %s beside a model instance", (name) => {
    const options = { model: new MockLanguageModelV3(), [name]: "x" };
    expect(thrownBy(() => new OpenAIAgent(options))).toEqual(invalid);
    expect(thrownBy(() => new CompatAgent(options))).toEqual(invalid);
  });
});

describe("OpenAIAgent", () => {
  it("speaks the Responses API to the provider itself", async () => {
    vi.stubEnv("OPENAI_BASE_URL", server.baseURL);
    vi.stubEnv("OPENAI_API_KEY", "env-key");
    await new OpenAIAgent({ model: "m" }).generate({ prompt: "p" });
    expect(asked()?.protocol).toBe("openai-responses");
    expect(asked()?.headers["authorization"]).toBe("Bearer env-key");
  });

  it("speaks chat completions to a compatible endpoint, with the key value none if so configured", async () => {
    await new OpenAIAgent({ model: "m", baseURL: server.baseURL, apiKey: "none" }).generate({ prompt: "p" });
    expect(asked()?.protocol).toBe("openai-chat");
    expect(asked()?.headers["authorization"]).toBe("Bearer none");
  });

  it("finds a missing key in preflight", async () => {
    const agent = new OpenAIAgent({ model: "m" });
    await expect(agent.preflight()).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { variable: "OPENAI_API_KEY" },
    });
  });
});

describe("AnthropicAgent", () => {
  it("reads key and address from the environment", async () => {
    vi.stubEnv("ANTHROPIC_BASE_URL", server.baseURL);
    vi.stubEnv("ANTHROPIC_API_KEY", "env-key");
    await new AnthropicAgent({ model: "claude-sonnet-4-5" }).generate({ prompt: "p" });
    expect(asked()?.headers["x-api-key"]).toBe("env-key");
  });

  it("finds a missing key in preflight and before any call", async () => {
    const agent = new AnthropicAgent({ model: "m" });
    await expect(agent.preflight()).rejects.toEqual(invalid);
    await expect(agent.generate({ prompt: "p" })).rejects.toEqual(invalid);
    expect(server.requests).toHaveLength(0);
  });
});

describe("CompatAgent", () => {
  it("needs an address", () => {
    expect(thrownBy(() => new CompatAgent())).toEqual(invalid);
    expect(String(thrownBy(() => new CompatAgent()))).toContain("COMPAT_BASE_URL");
  });

  it("may be made with a key that the environment does not have, as where its calls are mocked", () => {
    const apiKey = process.env["NO_SUCH_KEY"] ?? "";
    expect(() => new CompatAgent({ baseURL: "http://127.0.0.1:9", apiKey })).not.toThrow();
    expect(() => new OpenAIAgent({ model: "gpt", apiKey })).not.toThrow();
    expect(() => new ClaudeCodeAgent({ apiKey })).not.toThrow();
  });

  it("falls back to COMPAT_BASE_URL, the model compat and the key compat", async () => {
    vi.stubEnv("COMPAT_BASE_URL", server.baseURL);
    const agent = new CompatAgent();
    await agent.generate({ prompt: "p" });
    expect(agent).toMatchObject({ id: "compat:compat", model: "compat" });
    expect(asked()).toMatchObject({ protocol: "openai-chat", body: { model: "compat" } });
    expect(asked()?.headers["authorization"]).toBe("Bearer compat");
  });

  it("falls back to COMPAT_API_KEY before the literal", async () => {
    vi.stubEnv("COMPAT_API_KEY", "env-key");
    await new CompatAgent({ baseURL: server.baseURL }).generate({ prompt: "p" });
    expect(asked()?.headers["authorization"]).toBe("Bearer env-key");
  });

  it("prefers its options to the environment", async () => {
    vi.stubEnv("COMPAT_BASE_URL", "http://127.0.0.1:1/v1");
    vi.stubEnv("COMPAT_API_KEY", "env-key");
    await new CompatAgent({ baseURL: server.baseURL, apiKey: "mine", model: "m" }).generate({ prompt: "p" });
    expect(asked()?.headers["authorization"]).toBe("Bearer mine");
    expect(asked()?.body["model"]).toBe("m");
  });

  it("needs no address for a model instance", () => {
    expect(new CompatAgent({ model: new MockLanguageModelV3({ modelId: "m" }) }).model).toBe("m");
  });
});

describe("packageMissing", () => {
  it("names the optional package that is missing and how to install it", async () => {
    const name = "@ai-sdk/not-installed-here";
    await expect(import(name).catch(packageMissing(name))).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      message: expect.stringContaining(`npm install ${name}`),
      details: { package: name },
    });
  });

  it("passes on the error of a package that is there but broken", async () => {
    const broken = Object.assign(new Error("Cannot find package 'its-dependency' imported from it"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    await expect(Promise.reject(broken).catch(packageMissing("present"))).rejects.toBe(broken);
  });
});
