import type { RunEvent } from "../../model/events.js";
import { serializedErrorLine, stackLines } from "./thrown-text.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** An event as a line of a task's log, `build | text`; empty for what is no log. */
export function logText(event: RunEvent): string {
  switch (event.type) {
    case "NodeOutput":
      return prefixed(event.nodeId, event.text.trimEnd());
    case "NodeFailed":
      return prefixed(
        event.nodeId,
        [
          `attempt ${event.attempt} failed: ${serializedErrorLine(event.error)}`,
          ...stackLines(event.error).map((frame) => `  ${frame}`),
        ].join("\n"),
      );
    case "ToolCallStarted":
      return prefixed(event.nodeId, `→ ${event.toolName}`);
    case "ToolCallFinished":
      return prefixed(event.nodeId, `${event.status === "success" ? "✓" : "✗"} ${event.toolName}`);
    case "AgentEvent":
      return prefixed(event.nodeId, agentText(event.event));
    default:
      return "";
  }
}

function prefixed(nodeId: string, text: string): string {
  if (text === "") return "";
  const name = visibleLine(nodeId);
  return visibleText(text)
    .split("\n")
    .map((line) => `${name} | ${line}`)
    .join("\n");
}

/** An agent's warning, such as a request that its provider refuses; undefined for other events of agents. */
export function agentWarning(event: Record<string, unknown>): string | undefined {
  const action = event["action"] as { kind?: unknown } | undefined;
  return action?.kind === "warning" ? agentText(event) : undefined;
}

/** The text of an AgentCliEvent for readers. */
function agentText(event: Record<string, unknown>): string {
  const { type, title, message, answer, error } = event;
  const action = event["action"] as { title?: unknown } | undefined;
  const text = { started: title, action: message ?? action?.title, completed: error ?? answer }[String(type)];
  return typeof text === "string" ? text.trimEnd() : "";
}
