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
export class StreamReport {
  readonly #engine: string;
  readonly #args: AgentGenerateOptions;
  readonly #redactor: () => Redactor;
  readonly #blocks = new Map<string, TextBlock>();
  #step = 0;
  #warnings = 0;
  #usage: TokenUsage | undefined;
  /** Bytes. */
  #forwardable: number;

  constructor(engine: string, args: AgentGenerateOptions, redactor: () => Redactor) {
    this.#engine = engine;
    this.#args = args;
    this.#redactor = redactor;
    this.#forwardable = args.maxOutputBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Tokens of the steps that have ended. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** Translates one part of the SDK's stream. */
  part(part: Part): void {
    switch (part.type) {
      case "start-step":
        this.#step += 1;
        return this.#emit({ phase: "started", action: turn(this.#step) });
      case "finish-step":
        this.#usage = sum(this.#usage, readUsage(part.usage));
        return this.#emit({
          phase: "completed",
          action: turn(this.#step),
          ok: part.finishReason !== "error",
        });
      case "text-delta":
        return this.#block(part.id, "message", { text: part.text });
      case "text-end":
        return this.#block(part.id, "message", { end: true });
      case "reasoning-delta":
        return this.#block(part.id, "thought", { text: part.text });
      case "reasoning-end":
        return this.#block(part.id, "thought", { end: true });
      case "tool-call":
        return this.#tool(part, { phase: "started" }, part.input);
      case "tool-result":
        return this.#tool(part, { phase: "completed", ok: true }, part.output);
      case "tool-error": {
        const message = messageOf(part.error);
        return this.#tool(part, { phase: "completed", ok: false, level: "error", message });
      }
      default:
        return;
    }
  }

  /** A warning of the provider about the request. */
  warning(text: string): void {
    this.#warnings += 1;
    const action = { id: `warning-${this.#warnings}`, kind: "warning", title: "warning" } as const;
    this.#emit({ phase: "completed", action, message: text, level: "warning" });
  }

  #emit(action: Omit<Action, "type" | "engine">): void {
    this.#args.onEvent?.(this.#redactor().value({ type: "action", engine: this.#engine, ...action }));
  }

  #block(id: string, kind: "message" | "thought", change: { text?: string; end?: boolean }): void {
    const state = this.#blocks.get(id) ?? { text: "", unsent: "", unprinted: "", held: "" };
    const { text, begunAtEndOf } = this.#redactor();
    const clean = text(state.held + (change.text ?? ""));
    // A secret may come in pieces: what could be the beginning of one waits for the rest.
    const ready = clean.length - (change.end === true ? 0 : begunAtEndOf(clean));
    state.held = clean.slice(ready);
    const shown = this.#forward(clean.slice(0, ready));
    state.text += shown;
    state.unsent += shown;
    state.unprinted += shown;
    this.#blocks.set(id, state);
    const ended = change.end === true;
    if (kind === "message" && shown !== "") this.#args.onText?.(shown);
    if (kind === "message") this.#print(state, ended);
    const action = { id, kind: kind === "message" ? "note" : "reasoning", title: kind } as const;
    if (ended) {
      this.#blocks.delete(id);
      if (state.text !== "") {
        this.#emit({ phase: "completed", entryType: kind, action, message: state.text, ok: true });
      }
    } else if (state.unsent.length >= EVENT_PIECE) {
      this.#emit({ phase: "updated", entryType: kind, action, message: state.unsent });
      state.unsent = "";
    }
  }

  /** As much of the text as may still be forwarded. */
  #forward(text: string): string {
    if (this.#forwardable === Number.POSITIVE_INFINITY) return text;
    const { text: shown } = truncateUtf8(text, this.#forwardable);
    this.#forwardable -= utf8Length(shown);
    return shown;
  }

  #print(state: TextBlock, ended: boolean): void {
    const { unprinted } = state;
    const length =
      ended || unprinted.length >= STDOUT_PIECE ? unprinted.length : unprinted.lastIndexOf("\n") + 1;
    if (length === 0) return;
    state.unprinted = unprinted.slice(length);
    this.#args.onStdout?.(unprinted.slice(0, length));
  }

  #tool(part: { toolCallId: string; toolName: string }, event: Partial<Action>, detail?: unknown): void {
    const action: Action["action"] = { id: part.toolCallId, kind: "tool", title: part.toolName };
    if (detail !== undefined) {
      action.detail = { [event.phase === "started" ? "input" : "output"]: bounded(detail) };
    }
    this.#emit({ phase: "updated", ...event, action });
  }
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
