import type { Remedy } from "../../model/remedy.js";
import { treadleCommand } from "../../util/treadle-command.js";

/**
 * The command that does what a remedy says. For FILE, which only a person knows, they put the
 * workflow's file.
 */
export function remedyCommand(remedy: Remedy): string {
  switch (remedy.action) {
    case "resume": {
      const { runId, needsWorkflow, acceptWorkflowChange } = remedy;
      const file = needsWorkflow === true ? ["FILE"] : [];
      return treadleCommand("up", file, {
        resume: runId,
        "accept-workflow-change": acceptWorkflowChange,
      });
    }
    case "approve": {
      const { runId, nodeId, iteration, allowedScopes, mode, options, example } = remedy;
      return treadleCommand("approve", [runId, nodeId], {
        iteration: iteration || undefined,
        // Any one of them will do.
        scope: allowedScopes?.[0],
        // Shown with the request and asked about before it counts.
        select: mode === "select" ? options?.[0] : undefined,
        rank: mode === "rank" ? options?.join(",") : undefined,
        data: example === undefined ? undefined : JSON.stringify(example),
      });
    }
    case "signal": {
      const { runId, signal, correlationId, example = {} } = remedy;
      const data = JSON.stringify(example);
      return treadleCommand("signal", [runId, signal], { correlation: correlationId, data });
    }
    case "retry-task":
      return treadleCommand("retry-task", [remedy.runId, remedy.nodeId], {
        iteration: remedy.iteration || undefined,
      });
    case "release-hijack":
      return treadleCommand("hijack", [remedy.runId, remedy.nodeId], {
        iteration: remedy.iteration || undefined,
        release: true,
      });
    case "events":
      return treadleCommand("events", [remedy.runId], {
        node: remedy.nodeId,
        type: remedy.types?.join(","),
      });
    case "explain":
      return treadleCommand("why", [remedy.runId]);
    case "inspect":
      return treadleCommand("inspect", [remedy.runId]);
    case "list-runs":
      return treadleCommand("ps", []);
    case "list-facts":
      return treadleCommand("memory list", [], { namespace: remedy.namespace });
    case "trust":
      return treadleCommand("trust", [remedy.path]);
    default:
      return remedy satisfies never;
  }
}
