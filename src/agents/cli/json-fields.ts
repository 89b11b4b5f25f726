import { readUsage } from "../structured/read-usage.js";
import type { TokenUsage } from "../../model/agent.js";
import type { JsonLine } from "./engine.js";
import { isRecord } from "../../util/is-record.js";

/** Members of what a tool prints, read without trust in their types. */

export function textOf(record: JsonLine | undefined, name: string): string | undefined {
  const value = record?.[name];
  return typeof value === "string" ? value : undefined;
}

export function numberOf(record: JsonLine | undefined, name: string): number | undefined {
  const value = record?.[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function recordOf(record: JsonLine | undefined, name: string): JsonLine | undefined {
  const value = record?.[name];
  return isRecord(value) ? value : undefined;
}

export function recordsOf(record: JsonLine | undefined, name: string): JsonLine[] {
  const value = record?.[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The text of a message's content: a string, or a list with parts that have a `text`. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map((part) =>
      part["type"] === undefined || part["type"] === "text" ? (textOf(part, "text") ?? "") : "",
    )
    .join("");
}

export interface CountedTokens {
  /** All that was sent, cached or not. */
  input: number | undefined;
  output: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  reasoning?: number | undefined;
}

/** Undefined when the tool has counted nothing: zeros are what some print for "unknown". */
export function tokenUsage(counted: CountedTokens): TokenUsage | undefined {
  const usage = readUsage({
    inputTokens: counted.input,
    outputTokens: counted.output,
    cacheReadTokens: counted.cacheRead,
    cacheWriteTokens: counted.cacheWrite,
    reasoningTokens: counted.reasoning,
  });
  return usage === undefined || (usage.inputTokens === 0 && usage.outputTokens === 0) ? undefined : usage;
}

/** A JSON text as a value; the text itself when it is none. */
export function parsedArguments(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
