import { z } from "zod";
import { attemptAddress, defineEvent, errorPayload } from "./define-event.js";
import { once } from "../../util/once.js";

const sandbox = once(() => ({
  /** Tells it from the other sandboxes of the run. */
  sandboxId: z.string(),
}));

const kindOfSandbox = once(() => ({
  ...sandbox(),
  /** What holds it; `provider` for one that the workflow brings along. */
  runtime: z.enum(["bubblewrap", "docker", "codeplane", "provider"]),
}));

const scorer = once(() => ({
  ...attemptAddress(),
  /** Its key among the task's scorers. */
  scorerId: z.string(),
  /** Its name for people. */
  scorerName: z.string(),
}));

const changed = once(() => ({
  /** Relative to `rootDir` of hot reload, in order. */
  changedFiles: z.array(z.string()),
}));

const failure = once(() => ({
  /** Why. */
  error: errorPayload(),
}));

/** Events of the parts around the engine: sandboxes, worktrees, scorers, memory, hot reload. */
export const partEvents = () =>
  [
    /** A sandbox is being made. */
    defineEvent("SandboxCreated", {
      ...kindOfSandbox(),
      /** Its settings as JSON. */
      configJson: z.string(),
    }),
    /** The sandbox has got its files. */
    defineEvent("SandboxShipped", {
      ...kindOfSandbox(),
      /** Of what was sent. */
      bundleSizeBytes: z.number(),
      /** Milliseconds that it took to make. */
      durationMs: z.number().optional(),
    }),
    /** The sandbox has given a sign of life. */
    defineEvent("SandboxHeartbeat", {
      ...sandbox(),
      /** The run inside. */
      remoteRunId: z.string().optional(),
      /** From 0 to 1. */
      progress: z.number().optional(),
    }),
    /** The sandbox's results have been fetched. */
    defineEvent("SandboxBundleReceived", {
      ...sandbox(),
      /** Of what was fetched. */
      bundleSizeBytes: z.number(),
      /** Milliseconds that it took to fetch. */
      durationMs: z.number().optional(),
      /** Patches in it. */
      patchCount: z.number(),
      /** There are rows in it. */
      hasOutputs: z.boolean(),
    }),
    /** The sandbox has ended by itself. */
    defineEvent("SandboxCompleted", {
      ...kindOfSandbox(),
      /** The run inside. */
      remoteRunId: z.string().optional(),
      /** Of the run inside. */
      status: z.enum(["finished", "failed", "cancelled"]),
      /** Since it was made, milliseconds. */
      durationMs: z.number(),
      /** The workspace that it has left its files in, or that its provider names. */
      workspaceId: z.string().optional(),
      /** The container that it ran in, where its provider names it. */
      containerId: z.string().optional(),
      /** Brings them back, as `snapshotId` of a workspace of that name. */
      snapshotId: z.string().optional(),
    }),
    /** The sandbox could not be made, or is lost. */
    defineEvent("SandboxFailed", { ...kindOfSandbox(), ...failure() }),
    /** A person is asked about the patches of a sandbox. */
    defineEvent("SandboxDiffReviewRequested", {
      ...sandbox(),
      /** Patches to look at. */
      patchCount: z.number(),
      /** Lines that they add or remove. */
      totalDiffLines: z.number(),
    }),
    /** The patches of a sandbox are accepted. */
    defineEvent("SandboxDiffAccepted", {
      ...sandbox(),
      /** Patches that were applied. */
      patchCount: z.number(),
    }),
    /** The patches of a sandbox are turned down. */
    defineEvent("SandboxDiffRejected", {
      ...sandbox(),
      /** The person's words. */
      reason: z.string().optional(),
    }),
    /** A task's git worktree was made; one that is there already is used without a word. */
    defineEvent("WorktreeCreated", {
      ...attemptAddress(),
      /** Its folder, absolute. */
      path: z.string(),
      /** The branch that is checked out in it. @default a detached commit */
      branch: z.string().optional(),
      /** The branch it was made from. */
      baseBranch: z.string(),
    }),
    /** The files that a task works on were recorded in their repository, before or after its work. */
    defineEvent("FilesRecorded", {
      ...attemptAddress(),
      /** Of the attempt's work. */
      moment: z.enum(["before", "after"]),
      /** What holds the files. */
      vcs: z.enum(["git", "jj"]),
      /** The working tree, absolute. */
      root: z.string(),
      /** The folder that was recorded, relative to it. */
      folder: z.string(),
      /** The git folder that has the objects, absolute. */
      gitFolder: z.string(),
      /** Holds the files. */
      commit: z.string(),
      /** What was checked out; null before the first commit. */
      head: z.string().nullable(),
      /** Of jj: the operation that the repository was at. */
      operation: z.string().optional(),
      /** Files that are not part of it. */
      leftOut: z.number(),
    }),
    /** They could not be recorded. The task is not concerned. */
    defineEvent("FilesNotRecorded", {
      ...attemptAddress(),
      /** Of the attempt's work. */
      moment: z.enum(["before", "after"]),
      /** Why. */
      reason: z.string(),
    }),
    /** A scorer looks at the row of a finished task. */
    defineEvent("ScorerStarted", scorer()),
    /** A scorer has an opinion. */
    defineEvent("ScorerFinished", {
      ...scorer(),
      /** From 0 to 1. */
      score: z.number(),
    }),
    /** A scorer has none: it threw, took too long, or the run was cancelled. */
    defineEvent("ScorerFailed", { ...scorer(), ...failure() }),
    /** A finished task has written a fact. */
    defineEvent("MemoryFactSet", {
      /** Whose: `<kind>:<id>`. */
      namespace: z.string(),
      key: z.string(),
    }),
    /** Facts were looked for, to be part of a prompt. */
    defineEvent("MemoryRecalled", {
      /** Whose: `<kind>:<id>`. */
      namespace: z.string(),
      /** The query; its beginning, without secrets. */
      query: z.string(),
      /** Facts that were found. */
      resultCount: z.number(),
    }),
    /** A finished task has written a message into a conversation. */
    defineEvent("MemoryMessageSaved", {
      /** The conversation. */
      threadId: z.string(),
      /** Who speaks, such as `user` or `assistant`. */
      role: z.string(),
    }),
    /** Files of the workflow have changed, and amount to other code. */
    defineEvent("WorkflowReloadDetected", changed()),
    /** The run continues with newer code. */
    defineEvent("WorkflowReloaded", {
      /** 1 for the first change after the code that the run was started or resumed with. */
      generation: z.number(),
      ...changed(),
      /** From the first look at the changed files to the new frame, milliseconds. */
      durationMs: z.number(),
      /** Tasks that are new, gone, or defined in another way. */
      changes: z.array(z.object({ nodeId: z.string(), change: z.enum(["added", "removed", "changed"]) })),
      /** Finished tasks whose definition, prompt or row is another one now: their rows stay until they are retried. */
      outdated: z.array(z.object({ nodeId: z.string(), iteration: z.number() })),
    }),
    /** Newer code cannot be loaded or drawn; the run continues with the code that it has. */
    defineEvent("WorkflowReloadFailed", { ...failure(), ...changed() }),
    /** Newer code would change what the run's rows mean; the run continues with the code that it has. */
    defineEvent("WorkflowReloadUnsafe", {
      /** The message of `error`. */
      reason: z.string(),
      ...failure(),
      ...changed(),
    }),
  ] as const;
