import { z } from "zod";
import { attemptAddress, defineEvent, errorPayload, nodeAddress } from "./define-event.js";

/** Events of tasks and of their attempts. */
export const nodeEvents = () =>
  [
    /** A task is in the tree for the first time, or is to run again. */
    defineEvent("NodePending", nodeAddress()),
    /** An attempt begins. */
    defineEvent("NodeStarted", {
      ...attemptAddress(),
      /** Of a subflow, the run that does its work, where that is known. */
      childRunId: z.string().optional(),
      /** Milliseconds that it could have begun before, as far as this process knows, but for a cap or a limit; absent below 10. */
      waitedMs: z.number().optional(),
    }),
    /** The task has its row. */
    defineEvent("NodeFinished", {
      ...attemptAddress(),
      /** The row is that of an earlier call with the same question: no agent was asked. */
      cached: z.boolean().optional(),
    }),
    /** One failed attempt, also when another one follows. */
    defineEvent("NodeFailed", {
      ...attemptAddress(),
      /** Why. */
      error: errorPayload(),
    }),
    /** Another attempt follows a failed one. */
    defineEvent("NodeRetrying", {
      ...attemptAddress(),
      /** The attempt begins no earlier, epoch milliseconds. */
      retryAtMs: z.number(),
    }),
    /** The task ends without a row: it has left the tree, or the run is cancelled. */
    defineEvent("NodeCancelled", {
      ...nodeAddress(),
      /** The one that was ended, where one was under way. */
      attempt: z.number().int().optional(),
      /** In words. */
      reason: z.string().optional(),
    }),
    /** The task will not run: `skipIf`, a branch that is over, a failure before it, or a person who leaves it out. */
    defineEvent("NodeSkipped", {
      ...nodeAddress(),
      /** In words. */
      reason: z.string().optional(),
      /** The person who left it out. */
      skippedBy: z.string().optional(),
    }),
    /** A person has given the task its row; a NodeFinished follows. */
    defineEvent("NodeCompletedByHand", {
      ...nodeAddress(),
      /** Who did it. */
      completedBy: z.string().optional(),
      /** In their words. */
      note: z.string().optional(),
    }),
    /** A row that a person gave, or a task that they left out, did not count when it was taken up. */
    defineEvent("InterventionRefused", {
      ...nodeAddress(),
      /** What they wanted. */
      action: z.enum(["complete", "skip"]),
      /** Why, as a code. */
      code: z.string(),
      /** The same in a sentence. */
      message: z.string(),
      /** Who wanted it. */
      by: z.string().optional(),
      /** In their words. */
      note: z.string().optional(),
    }),
    /** The attempt's process died or was stopped; the node starts again if its task is still there. */
    defineEvent("NodeInterrupted", {
      ...attemptAddress(),
      /** In words. */
      reason: z.string(),
    }),
    /** The attempt has given a sign of life; those in quick succession are one. */
    defineEvent("TaskHeartbeat", {
      ...attemptAddress(),
      /** There is a checkpoint, which the next attempt gets. */
      hasData: z.boolean(),
      /** Of the checkpoint as JSON; 0 without one. */
      dataSizeBytes: z.number().int(),
      /** Milliseconds since the one before, where they were measured. */
      intervalMs: z.number().optional(),
    }),
    /** The attempt is given up because it was silent for too long; a NodeFailed follows. */
    defineEvent("TaskHeartbeatTimeout", {
      ...attemptAddress(),
      /** Of the last sign of life, epoch milliseconds. */
      lastHeartbeatAtMs: z.number(),
      /** The task's `heartbeatTimeoutMs`, milliseconds. */
      timeoutMs: z.number(),
    }),
    /** Text a task wrote: `log()`, the console, an agent's or a tool's streams. */
    defineEvent("NodeOutput", {
      ...attemptAddress(),
      /** A piece of it, without secrets; line ends included. */
      text: z.string(),
      /** The stream it was written to. */
      stream: z.enum(["stdout", "stderr"]),
      /** `console`: the process that ran the task has printed it already. */
      source: z.literal("console").optional(),
    }),
  ] as const;
