import type { AgentActionKind } from "../../../model/agent.js";
import type { CliParser, JsonLine } from "../engine.js";
import { contentText, numberOf, recordOf, recordsOf, textOf } from "../json-fields.js";
import type { ToolUse, Transcript } from "../transcript.js";
import { countedIn } from "./codex-sessions.js";

/** Reads `codex exec --json`: `thread.started`, `turn.*`, `item.*`, `error`. */
export function createCodexParser(): CliParser {
  return {
    json(line, { transcript }) {
      switch (line["type"]) {
        case "thread.started":
          transcript.session(textOf(line, "thread_id"));
          return;
        case "item.started":
        case "item.updated":
        case "item.completed":
          readItem(line, transcript);
          return;
        case "turn.completed":
          transcript.recovered();
          transcript.final(undefined);
          readUsage(recordOf(line, "usage"), transcript);
          return;
        case "turn.failed":
          transcript.final(undefined);
          transcript.fail({ message: textOf(recordOf(line, "error"), "message") ?? "The turn failed." });
          return;
        case "error":
          // Also sent for attempts to reconnect; `turn.failed` is what ends the call.
          transcript.warn({ message: textOf(line, "message") ?? "An error without a message." });
          return;
      }
    },
  };
}

function readItem(line: JsonLine, transcript: Transcript): void {
  const item = recordOf(line, "item");
  const isDone = line["type"] === "item.completed";
  const text = textOf(item, "text") ?? "";
  if (item === undefined) return;
  switch (item["type"]) {
    case "agent_message":
      if (isDone) transcript.message(text);
      return;
    case "reasoning":
      if (isDone) transcript.thought(text);
      return;
    case "error":
      // Advice, such as a model that the tool has no metadata of.
      transcript.notice(textOf(item, "message") ?? text);
      return;
    case "todo_list":
      transcript.progress({ ...toolOf(item), input: item["items"] });
      return;
    default:
      readTool(line, item, transcript);
  }
}

function readTool(line: JsonLine, item: JsonLine, transcript: Transcript): void {
  const call = toolOf(item);
  if (line["type"] === "item.started") transcript.toolStarted(call);
  else if (line["type"] === "item.updated") transcript.progress(call);
  else {
    const exitCode = numberOf(item, "exit_code");
    const ok = item["status"] !== "failed" && item["status"] !== "declined" && (exitCode ?? 0) === 0;
    transcript.toolDone({ id: call.id, ok, output: outputOf(item) }, call);
  }
}

const KINDS: Readonly<Record<string, AgentActionKind>> = {
  command_execution: "command",
  file_change: "file_change",
  web_search: "web_search",
  todo_list: "todo_list",
  mcp_tool_call: "tool",
};

function toolOf(item: JsonLine): ToolUse {
  const type = textOf(item, "type") ?? "tool";
  const id = textOf(item, "id") ?? type;
  const kind = KINDS[type];
  const input =
    item["command"] ?? item["changes"] ?? item["query"] ?? item["arguments"] ?? recordOf(item, "action");
  return {
    id,
    name: textOf(item, "tool") ?? type,
    input,
    title: titleOf(item) ?? type,
    ...(kind !== undefined && { kind }),
  };
}

function titleOf(item: JsonLine): string | undefined {
  const tool = textOf(item, "tool");
  const paths = recordsOf(item, "changes").map((change) => textOf(change, "path") ?? "");
  if (paths.length > 0) return paths.join(", ");
  return tool === undefined
    ? (textOf(item, "command") ?? textOf(item, "query"))
    : [textOf(item, "server"), tool].filter((part) => part !== undefined).join(".");
}

function outputOf(item: JsonLine): string | undefined {
  return (
    textOf(item, "aggregated_output") ??
    textOf(recordOf(item, "error"), "message") ??
    (contentText(recordOf(item, "result")?.["content"]) || undefined)
  );
}

function readUsage(usage: JsonLine | undefined, transcript: Transcript): void {
  const counted = countedIn(usage);
  if (counted !== undefined) transcript.usage(counted);
}
