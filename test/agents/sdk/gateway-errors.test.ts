import {
  GatewayAuthenticationError,
  GatewayInternalServerError,
  GatewayModelNotFoundError,
  GatewayRateLimitError,
} from "@ai-sdk/gateway";
import { describe, expect, it } from "vitest";
import { toAgentError } from "../../../src/agents/sdk/agent-error.js";

describe("an error of the AI Gateway", () => {
  it.each([
    [new GatewayRateLimitError({ message: "Slow down" }), "AGENT_QUOTA_EXCEEDED"],
    [new GatewayAuthenticationError({ message: "Bad key" }), "AGENT_CONFIG_INVALID"],
    [new GatewayModelNotFoundError({ message: "No such thing", modelId: "m" }), "AGENT_CONFIG_INVALID"],
    [new GatewayInternalServerError({ message: "Oops" }), "AGENT_PROVIDER_ERROR"],
  ])("is told apart by its kind: %s", (error, code) => {
    expect(toAgentError(error, { agentId: "a1" })).toMatchObject({ code, details: { agentId: "a1" } });
  });
});
