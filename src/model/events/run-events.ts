import { z } from "zod";
import { RUN_STATUSES } from "../run.js";
import { attemptAddress, defineEvent, errorPayload, nodeAddress } from "./define-event.js";
import { once } from "../../util/once.js";

const changedNodes = once(() =>
  z.array(z.object({ nodeId: z.string(), change: z.enum(["added", "removed", "changed"]) })),
);

/** Where an alert is about one task. */
const concerns = once(() => ({
  /** The task that it is about. */
  nodeId: z.string().optional(),
  iteration: z.number().int().optional(),
}));

const reset = once(() => ({
  nodeId: z.string(),
  iteration: z.number().int(),
  /** `nodeId::iteration` of all that runs again. */
  resetNodes: z.array(z.string()),
}));

/** Events of runs as a whole. */
export const runEvents = () =>
  [
    /** A process began to drive the run; again on every resume. */
    defineEvent("RunStarted", {
      /** The name of the workflow's element. */
      workflowName: z.string(),
      /** The run was driven before. */
      resumed: z.boolean(),
      /** The process: `host/pid/…`. */
      ownerId: z.string(),
    }),
    /** The run waits, or continues. */
    defineEvent("RunStatusChanged", {
      /** The new status. */
      status: z.enum(RUN_STATUSES),
    }),
    /** The run has come to its end. */
    defineEvent("RunFinished", {
      /** Number of tasks that failed without stopping it. */
      failedChildren: z.number().int().optional(),
      /** `nodeId::iteration` of these tasks. */
      failedChildKeys: z.array(z.string()).optional(),
      /** Ids of the loops that were out of iterations. */
      exhaustedLoops: z.array(z.string()).optional(),
    }),
    /** The run has failed. */
    defineEvent("RunFailed", {
      /** Why. */
      error: errorPayload(),
    }),
    /** The run was cancelled. */
    defineEvent("RunCancelled", {
      /** In the words of who asked for it. */
      reason: z.string().optional(),
      /** Who asked for it. */
      requestedBy: z.string().optional(),
    }),
    /** The driving process stopped on purpose and left the run resumable. */
    defineEvent("RunInterrupted", {
      /** In words. */
      reason: z.string(),
    }),
    /** The run has handed over to a next one, which was made in the same commit. */
    defineEvent("RunContinuedAsNew", {
      /** The next run. */
      newRunId: z.string(),
      /** Of the loop at that moment. */
      iteration: z.number().int(),
      /** Bytes, as JSON, of the state that was handed over. */
      carriedStateSize: z.number().int(),
      /** Runs of the chain before the next one. */
      ancestryDepth: z.number().int().optional(),
    }),
    /** A resume continued although the workflow had changed. */
    defineEvent("WorkflowChangeAccepted", {
      /** Tasks that are new, gone, or defined in another way. */
      changes: changedNodes(),
      /** Files of the code, and what decides what its imports mean; absent when none has changed. */
      files: z
        .array(z.object({ path: z.string(), change: z.enum(["added", "removed", "changed"]) }))
        .optional(),
    }),
    /** A loop begins another iteration. */
    defineEvent("LoopAdvanced", {
      /** Its id, in other loops with those and their iterations. */
      loopId: z.string(),
      iteration: z.number().int(),
    }),
    /** A loop is over. */
    defineEvent("LoopFinished", {
      /** Its id, in other loops with those and their iterations. */
      loopId: z.string(),
      /** Number of those that it ran. */
      iterations: z.number().int(),
      /** It was out of iterations before its condition held. */
      exhausted: z.boolean(),
    }),
    /** The tree was rendered, and is another one than before or was asked for. */
    defineEvent("FrameCommitted", {
      /** Its number in the run. */
      frameNo: z.number().int(),
      /** The reason: the first frame, a new row, a resume or retry, the last look, newer code. */
      reason: z.enum(["mount", "output", "control", "settle", "reload"]),
      /** The task whose row it was. */
      nodeId: z.string().optional(),
      iteration: z.number().int().optional(),
    }),
    /** A person asks for an agent's session. */
    defineEvent("RunHijackRequested", {
      /** `nodeId::iteration` of the task. */
      target: z.string().optional(),
    }),
    /** The agent has stopped, and its session is the person's. */
    defineEvent("RunHijacked", {
      nodeId: z.string(),
      iteration: z.number().int(),
      attempt: z.number().int(),
      /** Such as `claude-code`; the agent's id where it names no engine. */
      engine: z.string(),
      /** How the session is opened: by the agent's own program, or as a conversation. */
      mode: z.enum(["native-cli", "conversation"]),
      /** The session's id. */
      resume: z.string().nullable().optional(),
      /** The folder that the agent works in, absolute. */
      cwd: z.string(),
    }),
    /** The task continues, or is not handed over: it has ended, or its agent cannot. */
    defineEvent("RunHijackRefused", {
      ...attemptAddress(),
      /** In words. */
      reason: z.string(),
    }),
    /** The person has given the session back. */
    defineEvent("RunHijackReleased", nodeAddress()),
    /** Nothing new starts until a process resumes the run. */
    defineEvent("RunPaused", {
      /** In words. */
      reason: z.string(),
    }),
    /** The run continues after a pause. */
    defineEvent("RunUnpaused", {}),
    /** The condition of an alert's rule holds. */
    defineEvent("AlertFired", {
      /** Its key in the policy. */
      rule: z.string(),
      /** How bad it is. */
      severity: z.enum(["info", "warning", "critical"]),
      /** One sentence for people. */
      message: z.string(),
      /** The kind of what is done about it, such as `pause`. */
      reaction: z.string(),
      /** Who is to see to it. */
      owner: z.string().optional(),
      /** URL or text: what to do. */
      runbook: z.string().optional(),
      /** Facts for who receives the alert. */
      labels: z.record(z.string(), z.string()).optional(),
      ...concerns(),
    }),
    /** The outcome of the reaction `deliver`. */
    defineEvent("AlertDelivered", {
      /** As when it fired. */
      rule: z.string(),
      /** Where it was sent, without secrets. */
      destination: z.string(),
      /** It has arrived. */
      ok: z.boolean(),
      /** Number of them. */
      tries: z.number().int(),
      /** Why it was given up. */
      error: z.string().optional(),
      ...concerns(),
    }),
    /** A task is made to run again. */
    defineEvent("RetryTaskStarted", {
      ...reset(),
      /** The tasks that depend on its row run again, too. */
      resetDependents: z.boolean(),
      /** Its agent gets a prompt that a person has written in the place of its own. */
      hasEditedPrompt: z.literal(true).optional(),
      /** Who asked for it. */
      requestedBy: z.string().optional(),
    }),
    /** The task is pending again; in the same commit. */
    defineEvent("RetryTaskFinished", {
      ...reset(),
      /** Whether it is. */
      success: z.boolean(),
      /** Why not. */
      error: z.string().optional(),
    }),
    /** The run is again as it was when a frame was committed. Nothing of its log is gone. */
    defineEvent("RunRewound", {
      /** The frame. */
      toFrameNo: z.number().int(),
      /** `nodeId::iteration` of the tasks that had not ended by then: they are pending again. */
      resetNodes: z.array(z.string()),
      /** `nodeId::iteration` of the tasks that have again the row that they had then. */
      restoredNodes: z.array(z.string()),
      /** Tasks with effects outside that may happen again; absent where none is known. */
      effects: z.array(z.string()).optional(),
      /** Who asked for it. */
      requestedBy: z.string().optional(),
    }),
    /** The run was made of another run's past: the first event of its log. */
    defineEvent("RunForked", {
      /** The other run. */
      parentRunId: z.string(),
      /** The frame that it was at. */
      parentFrameNo: z.number().int(),
      /** The fork's name. */
      branchLabel: z.string().optional(),
    }),
  ] as const;
