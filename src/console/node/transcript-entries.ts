import type { SequencedEvent } from "../../client/index.js";
import type { AgentActionKind, AgentCliEvent } from "../../model/agent.js";

/** A step of the conversation between a task and its agent. */
export interface TranscriptEntry {
  /** Number of the event that it begins with. */
  seq: number;
  attempt: number;
  /** `session`: it begins or ends. `correction`: the answer does not fit the schema, the agent is asked again. */
  kind: AgentActionKind | "message" | "session" | "correction";
  title: string;
  text: string;
  /** What a tool was given, and what it gave. */
  detail: Record<string, unknown>;
  /** How it has ended; undefined while it continues, or where nothing says so. */
  ok: boolean | undefined;
  startedAtMs: number;
  /** Null while it continues. */
  endedAtMs: number | null;
}

/** With one of these, whatever the agent was doing is over. */
export const ATTEMPT_ENDS = ["NodeFinished", "NodeFailed", "NodeInterrupted", "NodeCancelled"] as const;

/** Entries of an agent's events, in the order in which they began; the events of one action are one entry. */
export function entriesOf(events: readonly SequencedEvent[]): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const open = new Map<string, TranscriptEntry>();
  for (const { seq, event } of events) {
    const { timestampMs } = event;
    if (ATTEMPT_ENDS.some((type) => type === event.type)) {
      for (const entry of open.values()) entry.endedAtMs ??= timestampMs;
      open.clear();
    }
    if (event.type === "StructuredOutputRejected") {
      const text = event.issues.join("\n");
      entries.push({
        ...said(seq, event.attempt, timestampMs),
        kind: "correction",
        title: "answer refused",
        text,
        ok: false,
      });
    }
    if (event.type === "ToolCallStarted" || event.type === "ToolCallFinished") {
      const key = `${event.attempt} ${event.toolCallId}`;
      const entry = open.get(key) ?? begun(entries, open, key, said(seq, event.attempt, timestampMs));
      if (entry.title === "") Object.assign(entry, { kind: "tool", title: event.toolName });
      if (event.type === "ToolCallFinished") end(entry, timestampMs, event.status === "success");
      else if (entry.ok === undefined) entry.endedAtMs = null;
    }
    if (event.type !== "AgentEvent") continue;
    const told = event.event as unknown as AgentCliEvent;
    if (told.type === "started") {
      entries.push({ ...said(seq, event.attempt, timestampMs), kind: "session", title: told.title });
    } else if (told.type === "completed") {
      const { ok, error = "" } = told;
      entries.push({
        ...said(seq, event.attempt, timestampMs),
        kind: "session",
        title: ok ? "done" : "failed",
        text: error,
        ok,
      });
    } else if (told.type === "action") {
      const key = `${event.attempt} ${told.action.id}`;
      const entry = open.get(key) ?? begun(entries, open, key, said(seq, event.attempt, timestampMs));
      take(entry, told);
      entry.endedAtMs = told.phase === "completed" ? timestampMs : null;
      // A text comes in pieces under one id; a later one of the same id is another one.
      if (told.phase === "completed" && told.entryType !== undefined) open.delete(key);
    }
  }
  return entries;
}

function said(seq: number, attempt: number, atMs: number): TranscriptEntry {
  return {
    seq,
    attempt,
    kind: "note",
    title: "",
    text: "",
    detail: {},
    ok: undefined,
    startedAtMs: atMs,
    endedAtMs: atMs,
  };
}

function begun(
  entries: TranscriptEntry[],
  open: Map<string, TranscriptEntry>,
  key: string,
  entry: TranscriptEntry,
): TranscriptEntry {
  entries.push(entry);
  open.set(key, entry);
  return entry;
}

function end(entry: TranscriptEntry, atMs: number, ok: boolean): void {
  entry.endedAtMs = atMs;
  entry.ok ??= ok;
}

function take(entry: TranscriptEntry, told: Extract<AgentCliEvent, { type: "action" }>): void {
  const { action, message, entryType, phase, ok } = told;
  entry.kind = entryType === "message" ? "message" : entryType === "thought" ? "reasoning" : action.kind;
  entry.title = action.title;
  entry.detail = { ...entry.detail, ...action.detail };
  // Pieces of a text add up; its end brings all of it.
  if (message !== undefined) {
    const isPiece = phase === "updated" && entryType !== undefined;
    entry.text = isPiece ? entry.text + message : message;
  }
  if (ok !== undefined) entry.ok = ok;
}
