import { z } from "zod";
import { attemptAddress, defineEvent, errorPayload, nodeAddress } from "./define-event.js";

export const nodeEvents = () =>
  [
    defineEvent("NodePending", nodeAddress()),
    defineEvent("NodeStarted", { ...attemptAddress(), childRunId: z.string().optional() }),
    defineEvent("NodeFinished", { ...attemptAddress(), cached: z.boolean().optional() }),
    /** One failed attempt, also when another one follows. */
    defineEvent("NodeFailed", { ...attemptAddress(), error: errorPayload() }),
    /** Another attempt follows, not before `retryAtMs`. */
    defineEvent("NodeRetrying", { ...attemptAddress(), retryAtMs: z.number() }),
    defineEvent("NodeCancelled", {
      ...nodeAddress(),
      attempt: z.number().int().optional(),
      reason: z.string().optional(),
    }),
    defineEvent("NodeSkipped", { ...nodeAddress(), reason: z.string().optional() }),
    /** The attempt's process died or was stopped; the node starts again if its task is still there. */
    defineEvent("NodeInterrupted", { ...attemptAddress(), reason: z.string() }),
    defineEvent("TaskHeartbeat", {
      ...attemptAddress(),
      hasData: z.boolean(),
      dataSizeBytes: z.number().int(),
      intervalMs: z.number().optional(),
    }),
    defineEvent("TaskHeartbeatTimeout", {
      ...attemptAddress(),
      lastHeartbeatAtMs: z.number(),
      timeoutMs: z.number(),
    }),
    /** Text a task wrote: `log()`, the console, an agent's or a tool's streams. */
    defineEvent("NodeOutput", {
      ...attemptAddress(),
      text: z.string(),
      stream: z.enum(["stdout", "stderr"]),
      /** `console`: the process that ran the task has printed it already. */
      source: z.literal("console").optional(),
    }),
  ] as const;
