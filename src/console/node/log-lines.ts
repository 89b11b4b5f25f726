import type { SequencedEvent } from "../../client/index.js";

/** A line that a task has written. */
export interface LogLine {
  /** Number of the event with its beginning, and its place in that. */
  key: string;
  seq: number;
  attempt: number;
  stream: "stdout" | "stderr";
  /** When its beginning was written, epoch ms. */
  atMs: number;
  /** Without what a terminal would take for a command. */
  text: string;
}

/** Colours and movements of a terminal: escape sequences that have an end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** Lines of texts that came in pieces: a piece without a line end is continued by the next of its attempt and stream. */
export function linesOf(events: readonly SequencedEvent[]): LogLine[] {
  const lines: LogLine[] = [];
  const open = new Map<string, LogLine>();
  for (const { seq, event } of events) {
    if (event.type !== "NodeOutput") continue;
    const { attempt, stream, timestampMs: atMs } = event;
    const source = `${attempt} ${stream}`;
    const parts = event.text.split("\n");
    for (const [at, text] of parts.entries()) {
      const begun = at === 0 ? open.get(source) : undefined;
      const isLast = at === parts.length - 1;
      if (begun !== undefined) begun.text += text;
      else if (!isLast || text !== "") lines.push({ key: `${seq}.${at}`, seq, attempt, stream, atMs, text });
      if (!isLast || parts.length > 1) open.delete(source);
      const last = begun ?? lines.at(-1);
      if (isLast && text !== "" && last !== undefined) open.set(source, last);
    }
  }
  for (const line of lines) line.text = line.text.replace(TERMINAL, "").replace(/\r$/, "");
  return lines;
}
