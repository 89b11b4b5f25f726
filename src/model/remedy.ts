import { z } from "zod";
import { APPROVAL_MODES } from "./approval.js";
import { once } from "../util/once.js";

const runAddress = () => ({ runId: z.string() });
const nodeAddress = () => ({ ...runAddress(), nodeId: z.string(), iteration: z.number().int().min(0) });
const names = () => z.array(z.string());

/**
 * One thing to do about what keeps a run, a request or a call from continuing: an action, with what
 * the call needs that takes it. Every surface puts it in its own words: a command, a link, a button.
 */
export const remedySchema = once(() =>
  z.discriminatedUnion("action", [
    /** Drive the run: `runWorkflow` with `resume`. Of a child run it is the run above it that is driven. */
    z.object({
      action: z.literal("resume"),
      ...runAddress(),
      /** The code has changed since: the process that resumes it has to agree. */
      acceptWorkflowChange: z.literal(true).optional(),
      /** The run does not say where its workflow is: the process that resumes it has to. */
      needsWorkflow: z.literal(true).optional(),
    }),
    /** Decide a request: `approveNode`, or `denyNode`. */
    z.object({
      action: z.literal("approve"),
      ...nodeAddress(),
      /** The question that is asked at this moment. */
      requestHash: z.string().optional(),
      /** The form of the answer: a yes, one of the options, or their order. */
      mode: z.enum(APPROVAL_MODES).optional(),
      /** Keys to choose from, or to rank. */
      options: names().optional(),
      /** The answer is a row. */
      asksForData: z.literal(true).optional(),
      /** A row to begin with: it has the members that the schema asks for. */
      example: z.unknown().optional(),
      /** Only these may decide. */
      allowedUsers: names().optional(),
      /** Only who has one of these may decide. */
      allowedScopes: names().optional(),
    }),
    /** Send a signal: `signalRun`. */
    z.object({
      action: z.literal("signal"),
      ...runAddress(),
      /** Its name. */
      signal: z.string(),
      /** The correlation id that it has to carry, exactly. */
      correlationId: z.string().optional(),
      /** Data to begin with: it has the members that the schema asks for. Absent where the schema is not known. */
      example: z.unknown().optional(),
    }),
    /** Run a task again: `retryTask`, then a resume. */
    z.object({ action: z.literal("retry-task"), ...nodeAddress() }),
    /** Give an agent's session back: `releaseHijack`. */
    z.object({ action: z.literal("release-hijack"), ...nodeAddress() }),
    /** Read what happened: `listEvents`. */
    z.object({
      action: z.literal("events"),
      ...runAddress(),
      nodeId: z.string().optional(),
      /** Only these. */
      types: names().optional(),
    }),
    /** Ask what the run waits for: `explainRun`. */
    z.object({ action: z.literal("explain"), ...runAddress() }),
    /** Look at the run and its nodes: `getRun`, `listNodes`. */
    z.object({ action: z.literal("inspect"), ...runAddress() }),
    /** Look which runs there are: `listRuns`. */
    z.object({ action: z.literal("list-runs") }),
    /** Look which facts a namespace of memory has: `listMemoryFacts`. */
    z.object({
      action: z.literal("list-facts"),
      /** Such as `user:ada`. */
      namespace: z.string(),
    }),
    /** Trust a database that others could have written, on its machine: `trustWorkspace`. */
    z.object({
      action: z.literal("trust"),
      /** The database file. */
      path: z.string(),
    }),
  ]),
);

/** The next action, as data: a host makes a command, a request or a button of it. */
export type Remedy = z.infer<ReturnType<typeof remedySchema>>;
