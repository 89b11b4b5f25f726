import type { TextStreamPart, ToolSet } from "ai";
import type { AgentCliEvent, AgentGenerateOptions, TokenUsage } from "../../model/agent.js";
import { truncateUtf8, utf8Length } from "../../util/bounded-text.js";
import type { Redactor } from "../../util/redactor.js";
import { readUsage } from "../structured/read-usage.js";

type Part = TextStreamPart<ToolSet>;
type Action = Extract<AgentCliEvent, { type: "action" }>;

/** Characters that are collected before text goes to `onEvent`: a model writes a few at a time. */
const EVENT_PIECE = 200;
/** The same for `onStdout`, which gets lines as they end and long lines in parts. */
const STDOUT_PIECE = 80;
/** Longest input or result of a tool in an event, in bytes of JSON. */
const LONGEST_DETAIL = 4_000;

export interface StreamReport {
  /** Translates one part of the SDK's stream. */
  part(part: Part): void;
  /** A warning of the provider about the request. */
  warning(text: string): void;
  /** Tokens of the steps that have ended. */
  usage(): TokenUsage | undefined;
}

interface TextBlock {
  text: string;
  /** The end of `text` that has not gone to `onEvent` yet. */
  unsent: string;
  /** The end of `text` that has not gone to `onStdout` yet. */
  unprinted: string;
  /** The end of the stream after `text`, which may be the beginning of a secret. */
  held: string;
}

/**
 * Reports a tool loop while it runs: text to `onText` and `onStdout`, and text, reasoning, steps and tool calls as
 * agent events. `maxOutputBytes` bounds the text that is forwarded, never the answer itself.
 */
export function reportStream(
  engine: string,
  args: AgentGenerateOptions,
  redactor: () => Redactor,
): StreamReport {
  const blocks = new Map<string, TextBlock>();
  const reported = { warnings: 0, step: 0 };
  let usage: TokenUsage | undefined;
  let forwardable = args.maxOutputBytes ?? Number.POSITIVE_INFINITY;

  const emit = (action: Omit<Action, "type" | "engine">) =>
    args.onEvent?.(redactor().value({ type: "action", engine, ...action }));

  const forward = (text: string): string => {
    const { text: shown } =
      forwardable === Number.POSITIVE_INFINITY ? { text } : truncateUtf8(text, forwardable);
    forwardable -= utf8Length(shown);
    return shown;
  };

  const block = (id: string, kind: "message" | "thought", change: { text?: string; end?: boolean }) => {
    const state = blocks.get(id) ?? { text: "", unsent: "", unprinted: "", held: "" };
    const { text, begunAtEndOf } = redactor();
    const clean = text(state.held + (change.text ?? ""));
    // A secret may come in pieces: what could be the beginning of one waits for the rest.
    const ready = clean.length - (change.end === true ? 0 : begunAtEndOf(clean));
    state.held = clean.slice(ready);
    const shown = forward(clean.slice(0, ready));
    state.text += shown;
    state.unsent += shown;
    state.unprinted += shown;
    blocks.set(id, state);
    const ended = change.end === true;
    if (kind === "message" && shown !== "") args.onText?.(shown);
    if (kind === "message") print(state, ended);
    const action = { id, kind: kind === "message" ? "note" : "reasoning", title: kind } as const;
    if (ended) {
      blocks.delete(id);
      if (state.text !== "") {
        emit({ phase: "completed", entryType: kind, action, message: state.text, ok: true });
      }
    } else if (state.unsent.length >= EVENT_PIECE) {
      emit({ phase: "updated", entryType: kind, action, message: state.unsent });
      state.unsent = "";
    }
  };

  const print = (state: TextBlock, ended: boolean) => {
    const { unprinted } = state;
    const length =
      ended || unprinted.length >= STDOUT_PIECE ? unprinted.length : unprinted.lastIndexOf("\n") + 1;
    if (length === 0) return;
    state.unprinted = unprinted.slice(length);
    args.onStdout?.(unprinted.slice(0, length));
  };

  const tool = (part: { toolCallId: string; toolName: string }, event: Partial<Action>, detail?: unknown) => {
    const action: Action["action"] = { id: part.toolCallId, kind: "tool", title: part.toolName };
    if (detail !== undefined)
      action.detail = { [event.phase === "started" ? "input" : "output"]: bounded(detail) };
    emit({ phase: "updated", ...event, action });
  };

  return {
    part(part) {
      switch (part.type) {
        case "start-step":
          reported.step += 1;
          return emit({ phase: "started", action: turn(reported.step) });
        case "finish-step":
          usage = sum(usage, readUsage(part.usage));
          return emit({ phase: "completed", action: turn(reported.step), ok: part.finishReason !== "error" });
        case "text-delta":
          return block(part.id, "message", { text: part.text });
        case "text-end":
          return block(part.id, "message", { end: true });
        case "reasoning-delta":
          return block(part.id, "thought", { text: part.text });
        case "reasoning-end":
          return block(part.id, "thought", { end: true });
        case "tool-call":
          return tool(part, { phase: "started" }, part.input);
        case "tool-result":
          return tool(part, { phase: "completed", ok: true }, part.output);
        case "tool-error":
          return tool(part, {
            phase: "completed",
            ok: false,
            level: "error",
            message: messageOf(part.error),
          });
        default:
          return;
      }
    },
    warning(text) {
      reported.warnings += 1;
      const action = { id: `warning-${reported.warnings}`, kind: "warning", title: "warning" } as const;
      emit({ phase: "completed", action, message: text, level: "warning" });
    },
    usage: () => usage,
  };
}

function turn(step: number): Action["action"] {
  return { id: `step-${step}`, kind: "turn", title: `step ${step}` };
}

/** The value itself when its JSON is short, else the beginning of that JSON; a value without JSON becomes a text. */
function bounded(value: unknown): unknown {
  const json = jsonOf(value);
  if (json === undefined) return truncateUtf8(String(value), LONGEST_DETAIL).text;
  const { text, truncated } = truncateUtf8(json, LONGEST_DETAIL);
  return truncated ? `${text}…` : value;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return truncateUtf8(error instanceof Error ? error.message : String(error), LONGEST_DETAIL).text;
}

const COUNTS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

function sum(total: TokenUsage | undefined, step: TokenUsage | undefined): TokenUsage | undefined {
  if (total === undefined || step === undefined) return total ?? step;
  const result: TokenUsage = { ...total };
  for (const name of COUNTS) {
    if (step[name] !== undefined) result[name] = (total[name] ?? 0) + step[name];
  }
  return result;
}
