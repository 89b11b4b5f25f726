import type { AgentActionKind, AgentCliEvent, TokenUsage } from "../../model/agent.js";
import { shorten, truncateUtf8, utf8Length } from "../../util/bounded-text.js";
import type { Redactor } from "../../util/redactor.js";
import { clipDetail, LONGEST_TEXT } from "./clip.js";
import type { ToolComplaint } from "./classify-failure.js";
import { actionKindOf } from "./tool-kind.js";
import { isSessionId } from "./session-id.js";

export interface TranscriptOptions {
  engine: string;
  title: string;
  redactor: Redactor;
  /** Longest answer that is kept, in bytes. */
  maxOutputBytes: number;
  onEvent?: ((event: AgentCliEvent) => void) | undefined;
  /** The agent's text, as it comes, in whole lines. */
  onText(text: string): void;
  /** The tool tells a trouble that it may overcome by itself. */
  onTrouble?(complaint: ToolComplaint): void;
  /** The agent has said or done something. */
  onProgress?(): void;
}

export interface ToolUse {
  id: string;
  name: string;
  input?: unknown;
  /** Overrides what the name tells. */
  kind?: AgentActionKind;
  /** @default `name` */
  title?: string;
}

export interface ToolResult {
  id: string;
  ok: boolean;
  output?: string | undefined;
}

/**
 * Texts and actions of an agent in one call. Parsers of the engines write into it; it turns that into
 * events and keeps the answer, within bounds.
 *
 * Invariants: `started` comes first and once; nothing leaves without passing the redactor; an explicit
 * final answer wins over the last message.
 */
export class Transcript {
  readonly #options: TranscriptOptions;
  #started = false;
  #sessionId: string | undefined;
  #model: string | undefined;
  #usage: TokenUsage | undefined;
  #current: string[] = [];
  #currentBytes = 0;
  #unsaid = "";
  #lastMessage: string | undefined;
  #final: string | undefined;
  #failure: ToolComplaint | undefined;
  #complaints: ToolComplaint[] = [];
  readonly #running = new Map<string, ToolUse>();
  #ids = 0;
  #truncated = false;
  #ended = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The conversation's id, as soon as it is known. */
  session(id: string | undefined): void {
    // Anything else is no id, and is never handed to the tool again.
    if (id === undefined || !isSessionId(id)) return;
    this.#sessionId = id;
    this.start();
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    const { engine, title } = this.#options;
    const resume = this.#sessionId;
    this.#emit({ type: "started", engine, title, ...(resume !== undefined && { resume }) });
  }

  model(name: string | undefined): void {
    if (name !== undefined && name !== "") this.#model = name;
  }

  /** A piece of the message that is being written. */
  delta(text: string): void {
    this.start();
    this.#gotOn();
    this.#keep(text);
    this.#unsaid += text;
    const end = this.#unsaid.lastIndexOf("\n") + 1 || this.#endOfLongLine();
    if (end === 0) return;
    this.#say(this.#unsaid.slice(0, end));
    this.#unsaid = this.#unsaid.slice(end);
  }

  /** How much of an unfinished line may be said: not what may be the beginning of a secret. */
  #endOfLongLine(): number {
    const { length } = this.#unsaid;
    return length > LONGEST_UNSAID ? length - this.#options.redactor.begunAtEndOf(this.#unsaid) : 0;
  }

  /** A whole message; also ends the one that is being written. */
  message(text: string): void {
    this.endMessage();
    if (text === "") return;
    this.delta(text);
    this.endMessage();
  }

  endMessage(): void {
    if (this.#unsaid !== "") this.#say(`${this.#unsaid}\n`);
    this.#unsaid = "";
    const text = this.#bounded(this.#current.join(""));
    this.#current = [];
    this.#currentBytes = 0;
    if (text.trim() === "") return;
    this.#lastMessage = text;
    this.#note({ kind: "note", title: "message", text, entryType: "message" });
  }

  /** Reasoning, or the words of a sub-agent: shown, but not part of the answer. */
  thought(text: string): void {
    if (text.trim() !== "") this.#note({ kind: "reasoning", title: "reasoning", text, entryType: "thought" });
  }

  toolStarted(call: ToolUse): void {
    this.endMessage();
    this.start();
    this.#gotOn();
    this.#running.set(call.id, call);
    if (this.#running.size > MOST_RUNNING) this.#running.delete(this.#running.keys().next().value as string);
    this.#action("started", call);
  }

  /** Ends a call; `unannounced` describes one whose beginning was not reported. */
  toolDone(result: ToolResult, unannounced?: Omit<ToolUse, "id">): void {
    this.endMessage();
    this.start();
    const begun = this.#running.get(result.id);
    this.#running.delete(result.id);
    // The details came with the beginning.
    const call =
      begun === undefined ? { name: "tool", ...unannounced, id: result.id } : { ...begun, input: undefined };
    this.#action("completed", call, result);
  }

  /** A state that replaces the earlier one of the same id, such as a list of things to do. */
  progress(call: ToolUse): void {
    this.start();
    this.#action("updated", call);
  }

  usage(usage: TokenUsage): void {
    this.#usage = usage;
  }

  addUsage(usage: TokenUsage): void {
    this.#usage = this.#usage === undefined ? usage : sumOf(this.#usage, usage);
  }

  /** The answer, said outright. */
  final(text: string | undefined): void {
    this.endMessage();
    this.#ended = true;
    if (text !== undefined && text.trim() !== "") this.#final = this.#bounded(text);
  }

  /** The call has failed, unless the agent recovers. */
  fail(complaint: ToolComplaint): void {
    this.endMessage();
    this.#failure = complaint;
  }

  recovered(): void {
    this.#failure = undefined;
  }

  /** Something that ends the call unless the agent gets on after it. */
  warn(complaint: ToolComplaint): void {
    this.#complaints.push(complaint);
    if (this.#complaints.length > MOST_COMPLAINTS) this.#complaints.shift();
    this.notice(complaint.message);
    this.#options.onTrouble?.(complaint);
  }

  /** Something to know that does not end the call. */
  notice(text: string): void {
    this.#note({ kind: "warning", title: "warning", text, entryType: "message" });
  }

  /** Earlier errors have not kept the agent from working. */
  #gotOn(): void {
    if (this.#complaints.length > 0) this.#complaints = [];
    this.#options.onProgress?.();
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether the tool has said that it is done. */
  get ended(): boolean {
    return this.#ended;
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  /** The decisive one last. */
  get complaints(): readonly ToolComplaint[] {
    return this.#failure === undefined ? this.#complaints : [...this.#complaints, this.#failure];
  }

  /** Undefined when the agent has said nothing. */
  answer(): string | undefined {
    return this.#final ?? this.#lastMessage;
  }

  tokens(): TokenUsage | undefined {
    if (this.#usage === undefined) return undefined;
    return this.#model === undefined
      ? this.#usage
      : { ...this.#usage, model: this.#usage.model ?? this.#model };
  }

  completed(result: { ok: boolean; error?: string }): void {
    this.endMessage();
    this.start();
    const { engine } = this.#options;
    const answer = this.answer();
    const usage = this.tokens();
    this.#emit({
      type: "completed",
      engine,
      ok: result.ok,
      ...(answer !== undefined && { answer: shorten(answer, LONGEST_TEXT) }),
      ...(result.error !== undefined && { error: result.error }),
      ...(this.#sessionId !== undefined && { resume: this.#sessionId }),
      ...(usage !== undefined && { usage }),
    });
  }

  /** Keeps a little more than the limit: a secret must not be cut in two before it is recognised. */
  #keep(text: string): void {
    const room = this.#options.maxOutputBytes + SLACK_BYTES - this.#currentBytes;
    const kept = truncateUtf8(text, Math.max(0, room)).text;
    if (kept === "") return;
    this.#current.push(kept);
    this.#currentBytes += utf8Length(kept);
  }

  #bounded(text: string): string {
    const kept = truncateUtf8(this.#options.redactor.text(text), this.#options.maxOutputBytes);
    if (kept.truncated) this.#noteTruncation();
    return kept.text;
  }

  #noteTruncation(): void {
    if (this.#truncated) return;
    this.#truncated = true;
    const text = `The answer was cut at ${this.#options.maxOutputBytes} bytes.`;
    this.#note({ kind: "warning", title: "truncated", text, entryType: "message" });
  }

  #say(text: string): void {
    this.#options.onText(this.#options.redactor.text(text));
  }

  #note(note: {
    kind: AgentActionKind;
    title: string;
    text: string;
    entryType: "thought" | "message";
  }): void {
    this.start();
    this.#ids += 1;
    this.#emit({
      type: "action",
      engine: this.#options.engine,
      phase: "completed",
      entryType: note.entryType,
      action: { id: `${note.title}-${this.#ids}`, kind: note.kind, title: note.title },
      message: this.#clip(note.text),
      ok: true,
      level: note.kind === "warning" ? "warning" : "info",
    });
  }

  #action(phase: "started" | "updated" | "completed", call: ToolUse, result?: ToolResult): void {
    const detail = clipDetail(this.#options.redactor.value(call.input));
    this.#emit({
      type: "action",
      engine: this.#options.engine,
      phase,
      action: {
        id: call.id,
        kind: call.kind ?? actionKindOf(call.name),
        title: this.#clip(call.title ?? call.name, LONGEST_TITLE),
        ...(detail !== undefined && { detail }),
      },
      ...(result?.output !== undefined && { message: this.#clip(result.output) }),
      ...(result !== undefined && { ok: result.ok }),
      level: result?.ok === false ? "warning" : "info",
    });
  }

  #clip(text: string, longest = LONGEST_TEXT): string {
    return shorten(this.#options.redactor.text(text), longest);
  }

  #emit(event: AgentCliEvent): void {
    this.#options.onEvent?.(this.#options.redactor.value(event));
  }
}

const MOST_COMPLAINTS = 20;
const MOST_RUNNING = 1_000;
const LONGEST_TITLE = 200;
/** Characters of an unfinished line that wait for its end. */
const LONGEST_UNSAID = 65_536;
const SLACK_BYTES = 4_096;

function sumOf(a: TokenUsage, b: TokenUsage): TokenUsage {
  const sum: TokenUsage = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  for (const key of ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  const model = b.model ?? a.model;
  if (model !== undefined) sum.model = model;
  return sum;
}
