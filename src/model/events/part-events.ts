import { z } from "zod";
import { attemptAddress, defineEvent, errorPayload } from "./define-event.js";
import { once } from "../../util/once.js";

const sandbox = once(() => ({ sandboxId: z.string() }));
const runtime = once(() => z.enum(["bubblewrap", "docker", "codeplane"]));
const scorer = once(() => ({ ...attemptAddress(), scorerId: z.string(), scorerName: z.string() }));

/** Events of the parts around the engine: sandboxes, worktrees, scorers, memory, hot reload. */
export const partEvents = () =>
  [
    defineEvent("SandboxCreated", { ...sandbox(), runtime: runtime(), configJson: z.string() }),
    defineEvent("SandboxShipped", { ...sandbox(), runtime: runtime(), bundleSizeBytes: z.number() }),
    defineEvent("SandboxHeartbeat", {
      ...sandbox(),
      remoteRunId: z.string().optional(),
      progress: z.number().optional(),
    }),
    defineEvent("SandboxBundleReceived", {
      ...sandbox(),
      bundleSizeBytes: z.number(),
      patchCount: z.number(),
      hasOutputs: z.boolean(),
    }),
    defineEvent("SandboxCompleted", {
      ...sandbox(),
      runtime: runtime(),
      remoteRunId: z.string().optional(),
      status: z.enum(["finished", "failed", "cancelled"]),
      durationMs: z.number(),
    }),
    defineEvent("SandboxFailed", { ...sandbox(), runtime: runtime(), error: errorPayload() }),
    defineEvent("SandboxDiffReviewRequested", {
      ...sandbox(),
      patchCount: z.number(),
      totalDiffLines: z.number(),
    }),
    defineEvent("SandboxDiffAccepted", { ...sandbox(), patchCount: z.number() }),
    defineEvent("SandboxDiffRejected", { ...sandbox(), reason: z.string().optional() }),
    defineEvent("WorktreeCreated", {
      ...attemptAddress(),
      path: z.string(),
      branch: z.string().optional(),
      baseBranch: z.string(),
    }),
    defineEvent("ScorerStarted", scorer()),
    defineEvent("ScorerFinished", { ...scorer(), score: z.number() }),
    defineEvent("ScorerFailed", { ...scorer(), error: errorPayload() }),
    defineEvent("MemoryFactSet", { namespace: z.string(), key: z.string() }),
    defineEvent("MemoryRecalled", { namespace: z.string(), query: z.string(), resultCount: z.number() }),
    defineEvent("MemoryMessageSaved", { threadId: z.string(), role: z.string() }),
    defineEvent("WorkflowReloadDetected", { changedFiles: z.array(z.string()) }),
    defineEvent("WorkflowReloaded", {
      /** 1 for the first change after the code that the run was started or resumed with. */
      generation: z.number(),
      changedFiles: z.array(z.string()),
      /** From the first look at the changed files to the new frame. */
      durationMs: z.number(),
      changes: z.array(z.object({ nodeId: z.string(), change: z.enum(["added", "removed", "changed"]) })),
      /** Finished tasks whose definition, prompt or row is another one now: their rows stay until somebody retries them. */
      outdated: z.array(z.object({ nodeId: z.string(), iteration: z.number() })),
    }),
    defineEvent("WorkflowReloadFailed", { error: errorPayload(), changedFiles: z.array(z.string()) }),
    defineEvent("WorkflowReloadUnsafe", {
      reason: z.string(),
      error: errorPayload(),
      changedFiles: z.array(z.string()),
    }),
  ] as const;
