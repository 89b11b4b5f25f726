import type { TokenUsage } from "../../../model/agent.js";
import type { CliParser, JsonLine } from "../engine.js";
import { contentText, numberOf, recordOf, recordsOf, textOf, tokenUsage } from "../json-fields.js";
import type { Transcript } from "../transcript.js";

/**
 * Reads the `stream-json` of Claude Code, which Amp speaks too: `system`/`init`, then `assistant` and
 * `user` messages in the form of the Messages API, `rate_limit_event`, and one `result`.
 */
export function createClaudeStreamParser(): CliParser {
  const counted = new Map<string, TokenUsage>();
  let resetAtMs: number | undefined;
  return {
    json(line, { transcript }) {
      switch (line["type"]) {
        case "system":
          readSystem(line, transcript);
          return;
        case "assistant":
          readAssistant(line, transcript);
          count(line, counted);
          return;
        case "user":
          readToolResults(line, transcript);
          return;
        case "rate_limit_event":
          resetAtMs = resetOf(recordOf(line, "rate_limit_info"));
          return;
        case "result":
          readResult(line, { transcript, resetAtMs, counted });
          counted.clear();
          return;
      }
    },
    end(transcript) {
      for (const part of counted.values()) transcript.addUsage(part);
    },
  };
}

function readSystem(line: JsonLine, transcript: Transcript): void {
  transcript.model(textOf(line, "model"));
  transcript.session(textOf(line, "session_id"));
  if (line["subtype"] !== "api_retry") return;
  const error = textOf(line, "error") ?? textOf(recordOf(line, "error"), "message") ?? "A request failed";
  const status = numberOf(line, "error_status");
  const attempt = numberOf(line, "attempt");
  // The error is a single word, which says little to a person.
  const facts = [
    status === undefined ? undefined : `HTTP ${status}`,
    attempt === undefined ? undefined : `attempt ${attempt} of ${numberOf(line, "max_retries")}`,
  ].filter((fact) => fact !== undefined);
  transcript.warn({ message: facts.length === 0 ? error : `${error} (${facts.join(", ")})`, status });
}

/** The messages of sub-agents carry the id of the tool call that started them. */
function readAssistant(line: JsonLine, transcript: Transcript): void {
  const isSubAgent = typeof line["parent_tool_use_id"] === "string";
  const error = textOf(line, "error");
  for (const block of recordsOf(recordOf(line, "message"), "content")) {
    const text = textOf(block, "text") ?? "";
    if (block["type"] === "thinking") transcript.thought(textOf(block, "thinking") ?? "");
    else if (block["type"] === "tool_use") {
      const name = textOf(block, "name") ?? "tool";
      transcript.toolStarted({ id: textOf(block, "id") ?? name, name, input: block["input"] });
    } else if (block["type"] !== "text") continue;
    else if (error !== undefined) transcript.warn({ message: `${text} (${error})` });
    else if (isSubAgent) transcript.thought(text);
    else transcript.message(text);
  }
}

function readToolResults(line: JsonLine, transcript: Transcript): void {
  for (const block of recordsOf(recordOf(line, "message"), "content")) {
    if (block["type"] !== "tool_result") continue;
    transcript.toolDone({
      id: textOf(block, "tool_use_id") ?? "tool",
      ok: block["is_error"] !== true,
      output: contentText(block["content"]),
    });
  }
}

/** One message arrives in several lines, each with the counts so far. */
function count(line: JsonLine, counted: Map<string, TokenUsage>): void {
  const message = recordOf(line, "message");
  const usage = usageOf(recordOf(message, "usage"));
  if (usage !== undefined) counted.set(textOf(message, "id") ?? `line-${counted.size}`, usage);
}

function readResult(
  line: JsonLine,
  known: { transcript: Transcript; resetAtMs: number | undefined; counted: Map<string, TokenUsage> },
): void {
  const { transcript, resetAtMs, counted } = known;
  transcript.session(textOf(line, "session_id"));
  const usage = usageOf(recordOf(line, "usage"));
  if (usage !== undefined) transcript.usage(usage);
  else for (const part of counted.values()) transcript.addUsage(part);
  const text = textOf(line, "result");
  const subtype = textOf(line, "subtype") ?? "";
  const kind = LIMITS.has(subtype) ? "limit" : line["stop_reason"] === "refusal" ? "refused" : undefined;
  if (line["is_error"] !== true && !subtype.startsWith("error") && kind === undefined) {
    transcript.final(text);
    return;
  }
  const errors = Array.isArray(line["errors"]) ? line["errors"].map(String) : [];
  transcript.final(undefined);
  transcript.fail({
    message: text ?? textOf(line, "error") ?? (errors.join(" ") || subtype),
    // The words differ from version to version.
    kind,
    status: numberOf(line, "api_error_status"),
    resetAtMs,
  });
}

const LIMITS: ReadonlySet<string> = new Set(["error_max_budget_usd", "error_max_turns"]);

function resetOf(info: JsonLine | undefined): number | undefined {
  const seconds = numberOf(info, "resetsAt");
  return info?.["status"] === "rejected" && seconds !== undefined ? seconds * 1_000 : undefined;
}

function usageOf(usage: JsonLine | undefined): TokenUsage | undefined {
  const cacheRead = numberOf(usage, "cache_read_input_tokens");
  const cacheWrite = numberOf(usage, "cache_creation_input_tokens");
  const fresh = numberOf(usage, "input_tokens");
  const output = numberOf(usage, "output_tokens");
  return tokenUsage({
    input: (fresh ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output,
    cacheRead,
    cacheWrite,
  });
}
