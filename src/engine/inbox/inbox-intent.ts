import type { ApprovalDecision } from "../../model/approval.js";
import type { SchedulerIntent } from "../../scheduler/intents.js";
import type { Intent } from "../../store/contract.js";

/** The inbox row as the scheduler understands it; null for kinds that others consume. */
export function toSchedulerIntent(intent: Intent): SchedulerIntent | null {
  const payload = intent.payload as Record<string, unknown>;
  switch (intent.kind) {
    case "cancel":
      return {
        id: intent.id,
        kind: "cancel",
        ...(typeof payload.reason === "string" && { reason: payload.reason }),
        ...(typeof payload.requestedBy === "string" && { requestedBy: payload.requestedBy }),
      };
    case "approval":
      return {
        id: intent.id,
        kind: "approval",
        nodeId: String(payload.nodeId),
        iteration: Number(payload.iteration),
        decision: payload.decision as ApprovalDecision,
        atMs: intent.createdAtMs,
        automatic: payload.automatic === true,
      };
    case "signal":
      return {
        id: intent.id,
        kind: "signal",
        name: String(payload.name),
        correlationId: typeof payload.correlationId === "string" ? payload.correlationId : null,
        data: payload.data,
        atMs: intent.createdAtMs,
      };
    case "hijack": {
      const at = { nodeId: String(payload.nodeId), iteration: Number(payload.iteration) };
      return { id: intent.id, kind: payload.action === "release" ? "release" : "hijack", ...at };
    }
    case "wake":
      return {
        id: intent.id,
        kind: "wake",
        nodeId: String(payload.nodeId),
        iteration: Number(payload.iteration),
      };
    default:
      return null;
  }
}
