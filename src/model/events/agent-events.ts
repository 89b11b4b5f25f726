import { z } from "zod";
import { attemptAddress, defineEvent, nodeAddress } from "./define-event.js";

export const agentEvents = () =>
  [
    /** `event` is an AgentCliEvent. */
    defineEvent("AgentEvent", {
      ...attemptAddress(),
      engine: z.string(),
      event: z.looseObject({ type: z.string() }),
    }),
    defineEvent("TokenUsageReported", {
      ...attemptAddress(),
      model: z.string(),
      agent: z.string(),
      /** The scorer whose call it was; absent for the task's own. */
      scorerId: z.string().optional(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number().optional(),
      cacheWriteTokens: z.number().optional(),
      reasoningTokens: z.number().optional(),
    }),
    defineEvent("StructuredOutputDowngraded", { ...attemptAddress(), mode: z.enum(["prompted", "tool"]) }),
    defineEvent("StructuredOutputRejected", {
      ...attemptAddress(),
      schemaRetry: z.number().int(),
      issues: z.array(z.string()),
    }),
    defineEvent("ToolCallStarted", {
      ...attemptAddress(),
      toolCallId: z.string(),
      toolName: z.string(),
      seq: z.number().int(),
    }),
    defineEvent("ToolCallFinished", {
      ...attemptAddress(),
      toolCallId: z.string(),
      toolName: z.string(),
      seq: z.number().int(),
      status: z.enum(["success", "error"]),
    }),
    defineEvent("OpenApiToolCalled", {
      ...attemptAddress(),
      operationId: z.string(),
      method: z.string(),
      path: z.string(),
      durationMs: z.number(),
      status: z.enum(["success", "error"]),
    }),
    defineEvent("BudgetExceeded", {
      ...nodeAddress(),
      budget: z.enum(["tokens", "latency"]),
      limit: z.number(),
      current: z.number(),
      action: z.enum(["fail", "warn", "skip-remaining"]),
    }),
  ] as const;
