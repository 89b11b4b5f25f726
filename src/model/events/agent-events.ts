import { z } from "zod";
import { attemptAddress, defineEvent, nodeAddress } from "./define-event.js";

const revertedCall = () => ({
  ...attemptAddress(),
  /** Such as `refund`. */
  toolName: z.string(),
  /** Number of the call within the attempt. */
  seq: z.number().int(),
});

/** Events of agents, their tools and their budgets. */
export const agentEvents = () =>
  [
    /** An agent tells what it does. */
    defineEvent("AgentEvent", {
      ...attemptAddress(),
      /** Such as `claude-code`; the agent's id where it names no engine. */
      engine: z.string(),
      /** An AgentCliEvent. */
      event: z.looseObject({ type: z.string() }),
    }),
    /** One call of a model, or of an agent that reports the sum of its calls. */
    defineEvent("TokenUsageReported", {
      ...attemptAddress(),
      /** As the agent names it; `unknown` where it does not. */
      model: z.string(),
      /** The agent's id. */
      agent: z.string(),
      /** The scorer whose call it was; absent for the task's own. */
      scorerId: z.string().optional(),
      /** Tokens, those read from and written to a cache included. */
      inputTokens: z.number(),
      /** Tokens, reasoning included. */
      outputTokens: z.number(),
      /** Tokens of the input that came from the provider's cache. */
      cacheReadTokens: z.number().optional(),
      /** Tokens of the input that the provider has put into its cache. */
      cacheWriteTokens: z.number().optional(),
      /** Tokens of the output that are not shown. */
      reasoningTokens: z.number().optional(),
    }),
    /** An agent cannot be held to a schema, so that its answer was got in another way; with the first attempt only. */
    defineEvent("StructuredOutputDowngraded", {
      ...attemptAddress(),
      /** `prompted`: the prompt describes the row; `tool`: the agent calls a tool with it. */
      mode: z.enum(["prompted", "tool"]),
    }),
    /** An answer does not fit the schema; the agent is asked again. */
    defineEvent("StructuredOutputRejected", {
      ...attemptAddress(),
      /** The repetition that follows: 1 for the first one. */
      schemaRetry: z.number().int(),
      /** The mismatches, one per entry. */
      issues: z.array(z.string()),
    }),
    /** A tool of the library begins. */
    defineEvent("ToolCallStarted", {
      ...attemptAddress(),
      /** As the model gives it; `call-<n>` where it gives none. */
      toolCallId: z.string(),
      /** Such as `read`. */
      toolName: z.string(),
      /** Number of the call within the attempt. */
      seq: z.number().int(),
      /** The call may change something outside its own result; absent where it does not. */
      sideEffect: z.literal(true).optional(),
    }),
    /** A tool of the library has ended. */
    defineEvent("ToolCallFinished", {
      ...attemptAddress(),
      /** As when it started. */
      toolCallId: z.string(),
      /** As when it started. */
      toolName: z.string(),
      /** As when it started. */
      seq: z.number().int(),
      /** Whether the tool did what it was asked. */
      status: z.enum(["success", "error"]),
    }),
    /** A rewind begins to undo a call of a tool. */
    defineEvent("EffectRevertStarted", revertedCall()),
    /** It is undone. */
    defineEvent("EffectRevertFinished", revertedCall()),
    /** The tool's `revert` has failed: the run does not go back. */
    defineEvent("EffectRevertFailed", {
      ...revertedCall(),
      /** Message of the failure. */
      error: z.string(),
    }),
    /** A tool that was made of an OpenAPI document has called its API. */
    defineEvent("OpenApiToolCalled", {
      ...attemptAddress(),
      /** Of the document, or made of method and path. */
      operationId: z.string(),
      /** Such as `GET`. */
      method: z.string(),
      /** As the document has it, with its parameters in braces. */
      path: z.string(),
      /** Until the answer was there, milliseconds. */
      durationMs: z.number(),
      /** `error` for an answer that is none, and for a call that has come to none. */
      status: z.enum(["success", "error"]),
    }),
    /** A budget of `Aspects` is used up: before a task starts, or after its attempt. */
    defineEvent("BudgetExceeded", {
      ...nodeAddress(),
      /** Which. */
      budget: z.enum(["tokens", "latency"]),
      /** Tokens, or milliseconds of working time. */
      limit: z.number(),
      /** The spent part, in the same unit. */
      current: z.number(),
      /** The budget's `onExceeded`. */
      action: z.enum(["fail", "warn", "skip-remaining"]),
    }),
  ] as const;
