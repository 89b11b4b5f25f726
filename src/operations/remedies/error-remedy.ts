import type { KnownErrorCode } from "../../errors/codes.js";
import type { Remedy } from "../../model/remedy.js";

/** Code and details of an error; details are facts that may have come from anywhere. */
export interface CodedFacts {
  code?: string | undefined;
  details?: Record<string, unknown> | undefined;
}

/** The facts that remedies are made of. One that is not as expected counts as absent. */
interface Facts {
  runId: string | undefined;
  nextRunId: string | undefined;
  nodeId: string | undefined;
  /** 0 where the error names none. */
  iteration: number;
  requestHash: string | undefined;
  allowedUsers: string[] | undefined;
  allowedScopes: string[] | undefined;
  status: string | undefined;
  path: string | undefined;
  namespace: string | undefined;
  /** The task whose stored row cannot be used. */
  storedRow: { runId: string; nodeId: string; iteration: number } | undefined;
}

// By hand: every command line would load a schema library for the errors that it hardly ever shows.
function factsOf(details: Record<string, unknown>): Facts {
  const { iteration } = details;
  return {
    runId: text(details.runId),
    nextRunId: text(details.nextRunId),
    nodeId: text(details.nodeId),
    iteration: Number.isSafeInteger(iteration) && Number(iteration) >= 0 ? Number(iteration) : 0,
    requestHash: text(details.requestHash),
    allowedUsers: texts(details.allowedUsers),
    allowedScopes: texts(details.allowedScopes),
    status: text(details.status),
    path: text(details.path),
    namespace: text(details.namespace),
    storedRow: place(details.storedRow),
  };
}

function place(value: unknown): Facts["storedRow"] {
  const { runId, nodeId, iteration } = (value ?? {}) as Record<string, unknown>;
  const isPlace = typeof runId === "string" && typeof nodeId === "string" && typeof iteration === "number";
  return isPlace ? { runId, nodeId, iteration } : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

const REMEDIES: Partial<Record<KnownErrorCode, (facts: Facts) => Remedy | null>> = {
  RUN_NOT_FOUND: () => ({ action: "list-runs" }),
  RUN_EXISTS: resume,
  RUN_NOT_ACTIVE: ({ runId, nextRunId, status }) => {
    if (nextRunId !== undefined) return { action: "explain", runId: nextRunId };
    if (runId === undefined) return null;
    // The others ended for good.
    return status === "failed" || status === "cancelled" ? resume({ runId }) : { action: "inspect", runId };
  },
  RUN_NOT_RESUMABLE: ({ nextRunId }) =>
    nextRunId === undefined ? null : { action: "explain", runId: nextRunId },
  RUN_CANCELLED: resume,
  RUN_STILL_RUNNING: explain,
  RUN_OWNER_ALIVE: explain,
  RUN_RESUME_CLAIM_FAILED: explain,
  RUN_RESUME_CLAIM_LOST: explain,
  RUN_RESUME_ACTIVATION_FAILED: resume,
  RESUME_METADATA_MISMATCH: ({ runId }) =>
    runId === undefined ? null : { action: "resume", runId, acceptWorkflowChange: true },
  WORKFLOW_EXECUTION_FAILED: explain,
  HIJACK_TIMEOUT: explain,
  NODE_NOT_FOUND: inspect,
  OUTPUT_NOT_FOUND: inspect,
  NODE_NOT_WAITING: explain,
  REQUEST_CHANGED: approve,
  FORBIDDEN: approve,
  APPROVAL_DENIED: ({ runId, nodeId, iteration }) =>
    runId === undefined || nodeId === undefined ? null : { action: "retry-task", runId, nodeId, iteration },
  // The same row would end every frame in the same way.
  INVALID_OUTPUT: ({ storedRow }) =>
    storedRow === undefined ? null : { action: "retry-task", ...storedRow },
  MEMORY_FACT_NOT_FOUND: ({ namespace }) =>
    namespace === undefined ? null : { action: "list-facts", namespace },
  WORKSPACE_NOT_TRUSTED: ({ path }) => (path === undefined ? null : { action: "trust", path }),
};

/** The remedy of an error by its code and details; null where only its text has one. */
export function remedyOf({ code, details }: CodedFacts): Remedy | null {
  const remedy = Object.hasOwn(REMEDIES, code ?? "") ? REMEDIES[code as KnownErrorCode] : undefined;
  return remedy?.(factsOf(details ?? {})) ?? null;
}

function resume({ runId }: Pick<Facts, "runId">): Remedy | null {
  return runId === undefined ? null : { action: "resume", runId };
}

function explain({ runId }: Facts): Remedy | null {
  return runId === undefined ? null : { action: "explain", runId };
}

function inspect({ runId }: Facts): Remedy | null {
  return runId === undefined ? null : { action: "inspect", runId };
}

function approve({ runId, nodeId, iteration, ...facts }: Facts): Remedy | null {
  if (runId === undefined || nodeId === undefined) return null;
  const { requestHash, allowedUsers, allowedScopes } = facts;
  return {
    action: "approve",
    runId,
    nodeId,
    iteration,
    ...(requestHash !== undefined && { requestHash }),
    ...(allowedUsers !== undefined && { allowedUsers }),
    ...(allowedScopes !== undefined && { allowedScopes }),
  };
}
