import type { MemoryFact, MemoryMessage, MemoryThread } from "../../model/memory.js";
import { messageText } from "../../memory/message-text.js";
import { instantText } from "../../util/instant-text.js";
import type { Colors } from "./styles.js";
import { formatTable, oneLine } from "./table.js";

/** Columns of a value, or of a message, in a list. */
const VALUE_WIDTH = 80;

export function factTable(facts: readonly MemoryFact[], colors: Colors, width: number): string {
  return formatTable(
    ["NAMESPACE", "KEY", "WRITTEN", "UNTIL", "VALUE"].map(colors.dim),
    facts.map(({ namespace, key, valueJson, updatedAtMs, ttlMs }) => [
      namespace,
      oneLine(key, VALUE_WIDTH),
      timeText(updatedAtMs),
      ttlMs === undefined ? "" : timeText(updatedAtMs + ttlMs),
      oneLine(valueJson, VALUE_WIDTH),
    ]),
    { width, names: ["NAMESPACE", "KEY"] },
  );
}

export function threadTable(threads: readonly MemoryThread[], colors: Colors, width: number): string {
  return formatTable(
    ["THREAD", "NAMESPACE", "WRITTEN", "TITLE"].map(colors.dim),
    threads.map(({ threadId, namespace, updatedAtMs, title = "" }) => [
      oneLine(threadId, VALUE_WIDTH),
      namespace,
      timeText(updatedAtMs),
      oneLine(title, VALUE_WIDTH),
    ]),
    { width, names: ["THREAD"] },
  );
}

export function conversationText(messages: readonly MemoryMessage[], colors: Colors): string {
  return messages
    .map(
      (message) =>
        `${colors.dim(`${timeText(message.createdAtMs)} ${message.role}`)}\n${messageText(message)}`,
    )
    .join("\n\n");
}

function timeText(ms: number): string {
  return instantText(ms).replace(/\.\d{3}Z$/, "Z");
}
