import type { TokenUsage } from "../../model/agent.js";
import { readUsage } from "./read-usage.js";
import { isRecord } from "../../util/is-record.js";

/** How an answer came to match a schema. */
export type StructuredMode = "native" | "tool" | "prompted";

/** The meaning of an agent's result, whatever its form. */
export interface AgentResultReading {
  /** The answer as a value. */
  output?: unknown;
  /** The final text. */
  text?: string;
  /** Texts of the steps that led to the answer, oldest first; empty steps are left out. */
  texts: string[];
  usage?: TokenUsage;
  /** Session that a later call can continue with `resumeSession`. */
  sessionId?: string;
  /** Messages that the call added to the conversation, for an agent that is continued with `messages`. */
  messages?: unknown[];
  /** Whether the answer ended at the limit of output tokens. */
  cutOff?: boolean;
  /** How structured output was obtained, when the agent says so. */
  mode?: StructuredMode;
  /**
   * The result itself, when it may be the answer: a plain object, even one with a member named
   * `text` or `output`. Only a schema can tell which of the two readings is meant.
   */
  plain?: Record<string, unknown>;
}

/** Members that make a plain object an envelope around the answer rather than the answer. */
export const ENVELOPE_KEYS = ["output", "text", "steps"] as const;

/** Members that say something of the call, beside the answer. */
export const METADATA_KEYS: ReadonlySet<string> = new Set([
  "usage",
  "totalUsage",
  "finishReason",
  "response",
  "sessionId",
]);

const MODES: ReadonlySet<unknown> = new Set<StructuredMode>(["native", "tool", "prompted"]);

/**
 * Reads what `AgentLike.generate` resolved to: an AI SDK result object (its `output`, then `text`,
 * then the texts of its `steps`), a string, `{text}`, or a plain object that is the answer itself.
 */
export function readAgentResult(result: unknown): AgentResultReading {
  if (typeof result === "string") return { text: result, texts: [] };
  if (!isRecord(result)) return result === undefined ? { texts: [] } : { output: result, texts: [] };

  const reading: AgentResultReading = { texts: stepTexts(member(result, "steps")) };
  const output = member(result, "output");
  const text = member(result, "text");
  if (output !== undefined && output !== null) reading.output = output;
  if (typeof text === "string") reading.text = text;

  const usage = readUsage(member(result, "totalUsage")) ?? readUsage(member(result, "usage"));
  if (usage !== undefined) {
    const model = usage.model ?? modelOf(result);
    reading.usage = model === undefined ? usage : { ...usage, model };
  }
  const sessionId = member(result, "sessionId");
  if (typeof sessionId === "string" && sessionId !== "") reading.sessionId = sessionId;
  const mode = member(result, "mode");
  if (MODES.has(mode)) reading.mode = mode as StructuredMode;

  const response = member(result, "response");
  const messages = isRecord(response) ? response["messages"] : undefined;
  if (Array.isArray(messages) && messages.length > 0) reading.messages = messages;
  if (member(result, "finishReason") === "length") reading.cutOff = true;

  if (isPlain(result)) {
    reading.plain = result;
    if (!ENVELOPE_KEYS.some((key) => key in result)) reading.output = result;
  }
  return reading;
}

/** Getters of AI SDK results throw when there is nothing to give. */
function member(result: Record<string, unknown>, key: string): unknown {
  try {
    return result[key];
  } catch {
    return undefined;
  }
}

function stepTexts(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [];
  return steps
    .map((step: unknown) => (isRecord(step) ? member(step, "text") : undefined))
    .filter((text): text is string => typeof text === "string" && text !== "");
}

function modelOf(result: Record<string, unknown>): string | undefined {
  const response = member(result, "response");
  const model = isRecord(response) ? response["modelId"] : member(result, "model");
  return typeof model === "string" && model !== "" ? model : undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
