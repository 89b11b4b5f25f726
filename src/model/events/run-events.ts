import { z } from "zod";
import { RUN_STATUSES } from "../run.js";
import { attemptAddress, defineEvent, errorPayload, nodeAddress } from "./define-event.js";
import { once } from "../../util/once.js";

const changedNodes = once(() =>
  z.array(z.object({ nodeId: z.string(), change: z.enum(["added", "removed", "changed"]) })),
);

export const runEvents = () =>
  [
    /** A process began to drive the run; again on every resume. */
    defineEvent("RunStarted", { workflowName: z.string(), resumed: z.boolean(), ownerId: z.string() }),
    defineEvent("RunStatusChanged", { status: z.enum(RUN_STATUSES) }),
    defineEvent("RunFinished", {
      failedChildren: z.number().int().optional(),
      failedChildKeys: z.array(z.string()).optional(),
      exhaustedLoops: z.array(z.string()).optional(),
    }),
    defineEvent("RunFailed", { error: errorPayload() }),
    defineEvent("RunCancelled", { reason: z.string().optional(), requestedBy: z.string().optional() }),
    /** The driving process stopped on purpose and left the run resumable. */
    defineEvent("RunInterrupted", { reason: z.string() }),
    defineEvent("RunContinuedAsNew", {
      newRunId: z.string(),
      iteration: z.number().int(),
      carriedStateSize: z.number().int(),
      ancestryDepth: z.number().int().optional(),
    }),
    /** A resume went on although the workflow had changed. */
    defineEvent("WorkflowChangeAccepted", { changes: changedNodes() }),
    defineEvent("LoopAdvanced", { loopId: z.string(), iteration: z.number().int() }),
    defineEvent("LoopFinished", { loopId: z.string(), iterations: z.number().int(), exhausted: z.boolean() }),
    defineEvent("FrameCommitted", {
      frameNo: z.number().int(),
      reason: z.enum(["mount", "output", "control", "settle", "reload"]),
      nodeId: z.string().optional(),
      iteration: z.number().int().optional(),
    }),
    defineEvent("RunHijackRequested", { target: z.string().optional() }),
    defineEvent("RunHijacked", {
      nodeId: z.string(),
      iteration: z.number().int(),
      attempt: z.number().int(),
      engine: z.string(),
      mode: z.enum(["native-cli", "conversation"]),
      resume: z.string().nullable().optional(),
      cwd: z.string(),
    }),
    /** The task goes on, or is not handed over: it has ended, or its agent cannot. */
    defineEvent("RunHijackRefused", { ...attemptAddress(), reason: z.string() }),
    /** The person has given the session back. */
    defineEvent("RunHijackReleased", nodeAddress()),
    /** Nothing new starts until somebody resumes the run. */
    defineEvent("RunPaused", { reason: z.string() }),
    defineEvent("RunUnpaused", {}),
    defineEvent("AlertFired", {
      rule: z.string(),
      severity: z.enum(["info", "warning", "critical"]),
      message: z.string(),
      reaction: z.string(),
      owner: z.string().optional(),
      runbook: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      nodeId: z.string().optional(),
      iteration: z.number().int().optional(),
    }),
    /** The outcome of the reaction `deliver`; `error` says why it was given up. */
    defineEvent("AlertDelivered", {
      rule: z.string(),
      destination: z.string(),
      ok: z.boolean(),
      tries: z.number().int(),
      error: z.string().optional(),
      nodeId: z.string().optional(),
      iteration: z.number().int().optional(),
    }),
    defineEvent("RetryTaskStarted", {
      nodeId: z.string(),
      iteration: z.number().int(),
      resetDependents: z.boolean(),
      resetNodes: z.array(z.string()),
    }),
    defineEvent("RetryTaskFinished", {
      nodeId: z.string(),
      iteration: z.number().int(),
      resetNodes: z.array(z.string()),
      success: z.boolean(),
      error: z.string().optional(),
    }),
    defineEvent("RunForked", {
      parentRunId: z.string(),
      parentFrameNo: z.number().int(),
      branchLabel: z.string().optional(),
    }),
  ] as const;
