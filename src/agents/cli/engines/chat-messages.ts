import type { JsonLine } from "../engine.js";
import { contentText, parsedArguments, recordOf, recordsOf, textOf } from "../json-fields.js";
import type { Transcript } from "../transcript.js";

/** Reads one message in the form of the Chat Completions API, which Kimi and Vibe print line by line. */
export function readChatMessage(message: JsonLine, transcript: Transcript): void {
  if (message["role"] === "assistant") readAssistant(message, transcript);
  else if (message["role"] === "tool") {
    const text = contentText(message["content"]);
    transcript.toolDone(
      {
        id: textOf(message, "tool_call_id") ?? "tool",
        ok: !/^\s*(?:<system>)?(?:error|<tool_error>)/i.test(text),
        output: text,
      },
      { name: textOf(message, "name") ?? "tool" },
    );
  }
}

function readAssistant(message: JsonLine, transcript: Transcript): void {
  for (const part of recordsOf(message, "content")) {
    if (part["type"] === "think") transcript.thought(textOf(part, "think") ?? "");
  }
  transcript.thought(textOf(message, "reasoning_content") ?? "");
  transcript.message(contentText(message["content"]));
  for (const call of recordsOf(message, "tool_calls")) {
    const called = recordOf(call, "function");
    const name = textOf(called, "name") ?? "tool";
    const input = parsedArguments(textOf(called, "arguments"));
    transcript.toolStarted({ id: textOf(call, "id") ?? name, name, input });
  }
}
