import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TokenUsage } from "../../../model/agent.js";
import { isRecord } from "../../../util/is-record.js";
import type { AuthPlace, JsonLine } from "../engine.js";
import { numberOf, recordOf, tokenUsage } from "../json-fields.js";
import { codexHome } from "./codex-credentials.js";

/** Bytes at the end of a session's file that are looked through. The tool writes the totals after each answer. */
const TAIL_BYTES = 4_194_304;

/**
 * The totals of a conversation, as the tool has kept them in `sessions/…/rollout-<time>-<id>.jsonl`: also where the
 * call was killed, or another process had made it. Undefined where there is no such file.
 */
export async function conversationTotal(
  place: Pick<AuthPlace, "env">,
  sessionId: string,
): Promise<TokenUsage | undefined> {
  const folder = join(codexHome(place), "sessions");
  try {
    const names = await readdir(folder, { recursive: true });
    const name = names.findLast((each) => each.endsWith(`-${sessionId}.jsonl`));
    if (name === undefined) return undefined;
    const lines = (await readTail(join(folder, name))).split("\n");
    for (const line of lines.reverse()) {
      const total = totalIn(line);
      if (total !== undefined) return total;
    }
  } catch {
    // No session was kept, or not where it may be read: then nothing is known of it.
  }
  return undefined;
}

async function readTail(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The last line of a process that was killed may be cut short. */
function totalIn(line: string): TokenUsage | undefined {
  if (!line.includes('"token_count"')) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    const info = isRecord(entry) ? recordOf(recordOf(entry, "payload"), "info") : undefined;
    return countedIn(recordOf(info, "total_token_usage"));
  } catch {
    return undefined;
  }
}

export function countedIn(usage: JsonLine | undefined): TokenUsage | undefined {
  return tokenUsage({
    input: numberOf(usage, "input_tokens"),
    output: numberOf(usage, "output_tokens"),
    cacheRead: numberOf(usage, "cached_input_tokens"),
    reasoning: numberOf(usage, "reasoning_output_tokens"),
  });
}
