import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalMode } from "../../model/approval.js";
import type { ApprovalDecision } from "../../model/intent.js";
import type { RunnerContext, RunnerResult } from "../ports.js";

/** A decided approval: the decision as a row of its mode's shape. */
export function runApproval({ job }: RunnerContext): RunnerResult {
  const { resolution, task } = job;
  if (resolution?.kind !== "decision") {
    throw new ServiceError("INTERNAL_ERROR", `Approval ${job.nodeId} ran without a decision.`);
  }
  return {
    kind: "row",
    value: decisionRow(task.approvalMode ?? "decision", resolution.decision, resolution.decidedAtMs),
  };
}

function decisionRow(
  mode: ApprovalMode,
  decision: ApprovalDecision,
  decidedAtMs: number,
): Record<string, unknown> {
  const note = decision.note ?? null;
  switch (mode) {
    case "gate":
    case "decision":
      return {
        approved: decision.approved,
        note,
        decidedBy: decision.decidedBy ?? null,
        decidedAt: new Date(decidedAtMs).toISOString(),
      };
    case "select":
      return { selected: decision.selected ?? "", notes: note };
    case "rank":
      return { ranked: decision.ranked ?? [], notes: note };
    default:
      return mode satisfies never;
  }
}

/** A person's answer: the decision's data, or its note read as JSON. */
export function runHuman({ job }: RunnerContext): RunnerResult {
  const { resolution } = job;
  if (resolution?.kind !== "decision") {
    throw new ServiceError("INTERNAL_ERROR", `Human task ${job.nodeId} ran without an answer.`);
  }
  const { data, note } = resolution.decision;
  return { kind: "row", value: data ?? noteAsRow(note, job.nodeId) };
}

function noteAsRow(note: string | undefined, nodeId: string): unknown {
  try {
    return JSON.parse(note ?? "");
  } catch (cause) {
    throw new ServiceError(
      "INVALID_OUTPUT",
      `The answer to ${nodeId} has no data, and its note is not the JSON of a row.`,
      { cause },
    );
  }
}
