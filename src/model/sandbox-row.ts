import { z } from "zod";
import { once } from "../util/once.js";

/** The row of the work inside a sandbox, kept among the rows of composites. */
export const sandboxRow = once(() =>
  z.object({
    /** Of the run inside: becomes the sandbox's own row. */
    output: z.unknown(),
    /** Files that it has changed. */
    patchCount: z.number(),
    /** Lines added and removed. */
    addedLines: z.number(),
    removedLines: z.number(),
    /** The patch as text, for people; cut where it is long. */
    patch: z.string(),
    /** Hash of the whole patch. */
    patchHash: z.string(),
    /** Folder of the sandbox, relative to the run's folder. */
    folder: z.string(),
    /** Files that its provider has given beside the patch, relative to the run's folder. */
    artifacts: z.array(z.string()).optional(),
    /** The workspace that was kept, and the snapshot of how it was left. */
    workspace: z.object({ name: z.string(), snapshotId: z.string() }).optional(),
    changes: z.array(z.object({ path: z.string(), operation: z.enum(["add", "modify", "delete"]) })),
  }),
);

export type SandboxRow = z.infer<ReturnType<typeof sandboxRow>>;
