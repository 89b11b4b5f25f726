import { z } from "zod";
import { insideProxies } from "../egress/inside-proxies.js";
import { once } from "../../util/once.js";

/** What the process inside is given to read. */
export const insideRequest = once(() =>
  z.object({
    /** What runs: a workflow, or a program. */
    work: z.union([
      z.object({
        /** File whose default export is the workflow, or whose loading makes it. */
        file: z.string(),
        /** Hash of the workflow's build function, where it is not the file's default export. */
        buildHash: z.string().optional(),
      }),
      z.object({ command: z.array(z.string()).min(1) }),
    ]),
    /** Variables that only this process, and what it starts, receives: no engine of containers keeps them, and no program outside reads them. */
    env: z.record(z.string(), z.string()),
    /** Folder that messages name files relative to: part of what is compiled. */
    cwd: z.string(),
    rootDir: z.string(),
    runId: z.string(),
    input: z.record(z.string(), z.unknown()),
    config: z.record(z.string(), z.unknown()),
    maxOutputBytes: z.number(),
    toolTimeoutMs: z.number(),
    proxies: insideProxies(),
    /** Of the host, and in here. */
    ports: z.array(z.object({ host: z.number(), container: z.number() })),
    /** Where the result is written. */
    resultFile: z.string(),
    /** Begins each line of its output that is a sign of life. */
    token: z.string(),
  }),
);

export type InsideRequest = z.infer<ReturnType<typeof insideRequest>>;

/** What the process inside leaves in its result file. Any code inside may have written it. */
export const insideResult = once(() =>
  z.object({
    status: z.enum(["finished", "failed", "cancelled"]),
    output: z.unknown().optional(),
    error: z.string().max(65_536).optional(),
    retryable: z.boolean().optional(),
    runId: z.string().max(256).optional(),
  }),
);
