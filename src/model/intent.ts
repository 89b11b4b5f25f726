import { z } from "zod";
import type { ServiceError } from "../errors/service-error.js";
import { once } from "../util/once.js";

/**
 * Requests to a run, decisions, and the waits of its nodes: each
 * is written and read by these schemas, wherever it is kept.
 */

/** The answer of a person (or an automatic rule). */
export const approvalDecisionSchema = once(() =>
  z.object({
    /** Yes or no; a choice, an order and a row are a yes. */
    approved: z.boolean(),
    /** In the words of who decided. */
    note: z.string().optional(),
    /** The decider; absent when no name was given. */
    decidedBy: z.string().optional(),
    /** Mode `select`: the chosen option's key. */
    selected: z.string().optional(),
    /** Mode `rank`: every option key once, best first. */
    ranked: z.array(z.string()).optional(),
    /** A human task's answer: the row. */
    data: z.unknown().optional(),
    /** Taken over from an earlier decision, by the approval's `cache`. */
    fromCache: z.literal(true).optional(),
  }),
);

/** A decision about a waiting node, as it is stored. `decidedAt` is ISO 8601. */
export type ApprovalDecision = z.infer<ReturnType<typeof approvalDecisionSchema>>;

const nodeAddress = () => ({ nodeId: z.string(), iteration: z.number().int().min(0) });

const byHand = () => ({
  /** Who does it; absent when no name was given. */
  by: z.string().optional(),
  /** In their words. */
  note: z.string().optional(),
});

/** A request from outside, as the inbox keeps it. */
export const intentSchema = once(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("cancel"),
      reason: z.string().optional(),
      requestedBy: z.string().optional(),
    }),
    z.object({
      kind: z.literal("approval"),
      ...nodeAddress(),
      decision: approvalDecisionSchema(),
      /** Hash of the question that the decision answers. */
      requestHash: z.string(),
      /** The question's text, for the log: the hash decides. */
      shown: z.looseObject({ title: z.string() }).optional(),
      /** Scopes that the decider has. */
      scopes: z.array(z.string()).optional(),
    }),
    z.object({
      kind: z.literal("signal"),
      name: z.string(),
      correlationId: z.string().optional(),
      data: z.unknown(),
    }),
    /** The child run that a subflow drives, or waits for, has ended in another process. */
    z.object({ kind: z.literal("wake"), ...nodeAddress() }),
    /** A person gives a task its row, in the place of an attempt. */
    z.object({
      kind: z.literal("complete"),
      ...nodeAddress(),
      /** The row, as JSON. */
      output: z.unknown(),
      ...byHand(),
    }),
    /** A person leaves a task out. */
    z.object({ kind: z.literal("skip"), ...nodeAddress(), ...byHand() }),
    /** A person takes over what the task's agent is doing, or gives it back. */
    z.object({ kind: z.literal("hijack"), ...nodeAddress(), action: z.enum(["take", "release"]) }),
  ]),
);

export type Intent = z.infer<ReturnType<typeof intentSchema>>;
export type IntentKind = Intent["kind"];
export type IntentOf<K extends IntentKind> = Extract<Intent, { kind: K }>;

/** A row of the inbox that is no intent: no process acts on it, and it holds up no other row. */
export interface UnreadableIntent {
  kind: "unreadable";
  /** STORAGE_ERROR naming the table and the row. */
  error: ServiceError;
}

/** The wait of a node in a waiting state; its end is the node's `dueAtMs`. */
export const nodeWaitSchema = once(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("approval"),
      /** A row to begin with, of a question whose answer is one. */
      example: z.unknown().optional(),
    }),
    z.object({
      kind: z.literal("event"),
      /** Name of the signal. */
      event: z.string(),
      /** Only a signal with the same one ends the wait. */
      correlationId: z.string().optional(),
      /** The payload is checked by a schema of the element's own, when it is taken up. */
      hasOwnSchema: z.literal(true).optional(),
      /** Data to begin with. */
      example: z.unknown().optional(),
      /** No signal came in time: the node is skipped, or what is left is the attempt that says so. */
      timedOut: z.literal(true).optional(),
    }),
    z.object({
      kind: z.literal("timer"),
      /** Its time has come: what is left is the attempt that says so. */
      fired: z.literal(true).optional(),
    }),
    z.object({
      kind: z.literal("quota"),
      /** The agent that has none left, where it has an id. */
      agentId: z.string().optional(),
    }),
    /** The run of its subflow, which waits itself. */
    z.object({ kind: z.literal("child") }),
    /** A person is at the session of its agent. */
    z.object({ kind: z.literal("hijack") }),
  ]),
);

/** The wait of a waiting node. */
export type NodeWait = z.infer<ReturnType<typeof nodeWaitSchema>>;

/** Whether it is exactly this signal that is waited for, and still is. */
export function waitsFor(
  wait: NodeWait | null,
  { signal, correlationId }: { signal: string; correlationId?: string | undefined },
): wait is NodeWait & { kind: "event" } {
  return (
    wait?.kind === "event" &&
    wait.timedOut !== true &&
    wait.event === signal &&
    wait.correlationId === correlationId
  );
}
