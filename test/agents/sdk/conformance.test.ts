import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { ToolLoopAgent } from "ai";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { AgentLike } from "../../../src/model/agent.js";
import { type AgentLikeHarness, describeAgentLike } from "../../conformance/agent-like.js";
import { type Reply, startModelServer } from "../../support/model-server/index.js";

const apiKey = "test-key";

/** Agents that call a model over HTTP, by the address to call. */
const agents: Record<string, (baseURL: string) => AgentLike> = {
  AnthropicAgent: (baseURL) =>
    new AnthropicAgent({ model: createAnthropic({ baseURL, apiKey })("claude-sonnet-4-5") }),
  "OpenAIAgent over the Responses API": (baseURL) =>
    new OpenAIAgent({ model: createOpenAI({ baseURL, apiKey }).responses("gpt-4.1") }),
  "OpenAIAgent over chat completions": (baseURL) => new OpenAIAgent({ model: "m", baseURL, apiKey: "none" }),
  CompatAgent: (baseURL) => new CompatAgent({ baseURL }),
  // Its type declares the parameters of calls as data of its own; what tasks pass is what it takes.
  "a bare ToolLoopAgent": (baseURL) =>
    new ToolLoopAgent({
      model: createOpenAI({ baseURL, apiKey }).chat("m"),
      maxRetries: 0,
    }) as unknown as AgentLike,
};

for (const [name, create] of Object.entries(agents)) {
  describeAgentLike(name, async (): Promise<AgentLikeHarness> => {
    let replies: Reply[] = [];
    const server = await startModelServer(() => {
      const [next] = replies;
      if (replies.length > 1) replies.shift();
      return next ?? { status: 500, message: "Nothing is scripted." };
    });
    return {
      rootDir: process.cwd(),
      agent: () => create(server.baseURL),
      close: () => server.close(),
      answers(...texts) {
        replies = texts.map((text) => ({ text }));
      },
      fails() {
        replies = [{ status: 400, message: "This model does not take such requests." }];
      },
      runsOutOfQuota() {
        replies = [{ status: 429, message: "You exceeded your current quota.", type: "insufficient_quota" }];
      },
      hangs() {
        replies = [{ silent: true }];
      },
    };
  });
}
