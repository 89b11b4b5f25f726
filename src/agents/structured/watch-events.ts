import type { AgentCliEvent, TokenUsage } from "../../model/agent.js";
import { readEvent } from "./read-event.js";

/** Passes an agent's events on and keeps what they tell about the call as a whole. */
export function watchEvents(pass: ((event: AgentCliEvent) => void) | undefined): {
  onEvent(event: AgentCliEvent): void;
  /** The session to resume and the tokens used, as far as the events named them. */
  reading(): { sessionId?: string; usage?: TokenUsage };
} {
  const reading: { sessionId?: string; usage?: TokenUsage } = {};
  return {
    onEvent(reported) {
      const event = readEvent(reported);
      if (event.type !== "action" && event.resume !== undefined) reading.sessionId = event.resume;
      if (event.type === "completed" && event.usage !== undefined) reading.usage = event.usage;
      pass?.(event);
    },
    reading: () => reading,
  };
}
