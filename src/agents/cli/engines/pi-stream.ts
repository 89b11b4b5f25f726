import { ensureError } from "../../../errors/ensure-error.js";
import type { CliParser, JsonLine, ParserTarget } from "../engine.js";
import { contentText, numberOf, recordOf, recordsOf, textOf, tokenUsage } from "../json-fields.js";
import type { Transcript } from "../transcript.js";
import type { PiAgentOptions, PiExtensionUiRequest } from "./pi-options.js";

/**
 * Reads Pi's event stream, the same in JSON and RPC mode. Updates of a message repeat all of it and are
 * left out: its end says everything.
 */
export function createPiParser(answer: PiAgentOptions["onExtensionUiRequest"]): CliParser {
  return {
    json(line, target) {
      const { transcript } = target;
      switch (line["type"]) {
        case "session":
          transcript.session(textOf(line, "id"));
          return;
        case "message_end":
          readMessage(recordOf(line, "message"), transcript);
          return;
        case "tool_execution_start": {
          const name = textOf(line, "toolName") ?? "tool";
          transcript.toolStarted({ id: textOf(line, "toolCallId") ?? name, name, input: line["args"] });
          return;
        }
        case "tool_execution_end":
          transcript.toolDone({
            id: textOf(line, "toolCallId") ?? "tool",
            ok: line["isError"] !== true,
            output: contentText(recordOf(line, "result")?.["content"]),
          });
          return;
        case "auto_retry_start":
          transcript.warn({ message: textOf(line, "errorMessage") ?? "The model's answer failed." });
          return;
        case "agent_end":
          transcript.final(undefined);
          target.finish();
          return;
        case "response":
          readResponse(line, target);
          return;
        case "extension_ui_request":
          void reply(line as PiExtensionUiRequest, answer, target);
          return;
      }
    },
  };
}

function readMessage(message: JsonLine | undefined, transcript: Transcript): void {
  if (message?.["role"] !== "assistant") return;
  for (const part of recordsOf(message, "content")) {
    if (part["type"] === "thinking") transcript.thought(textOf(part, "thinking") ?? "");
  }
  transcript.message(contentText(message["content"]));
  transcript.model(textOf(message, "model"));
  const usage = recordOf(message, "usage");
  const cacheRead = numberOf(usage, "cacheRead");
  const cacheWrite = numberOf(usage, "cacheWrite");
  const counted = tokenUsage({
    input: (numberOf(usage, "input") ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(usage, "output"),
    cacheRead,
    cacheWrite,
  });
  if (counted !== undefined) transcript.addUsage(counted);
  const stop = message["stopReason"];
  if (stop !== "error" && stop !== "aborted") transcript.recovered();
  else transcript.fail({ message: textOf(message, "errorMessage") ?? `The answer ended as "${stop}".` });
}

/** RPC mode: only refusals matter, the rest comes as events. The state tells the conversation's id. */
function readResponse(line: JsonLine, { transcript, send, finish }: ParserTarget): void {
  if (line["command"] === "prompt" && line["success"] === true) send(JSON.stringify({ type: "get_state" }));
  transcript.session(textOf(recordOf(line, "data"), "sessionId"));
  if (line["success"] !== false || line["command"] !== "prompt") return;
  transcript.final(undefined);
  transcript.fail({ message: textOf(line, "error") ?? "The prompt was refused." });
  finish();
}

/** Dialogs block the agent until they are answered; notices expect nothing. */
const DIALOGS: ReadonlySet<unknown> = new Set(["select", "confirm", "input", "editor"]);

async function reply(
  request: PiExtensionUiRequest,
  answer: PiAgentOptions["onExtensionUiRequest"],
  { transcript, send }: ParserTarget,
): Promise<void> {
  const cancelled = { type: "extension_ui_response", id: request.id, cancelled: true };
  try {
    const response = (await answer?.(request)) ?? cancelled;
    if (DIALOGS.has(request.method)) send(JSON.stringify(response));
  } catch (thrown) {
    transcript.notice(`onExtensionUiRequest failed: ${ensureError(thrown).message}`);
    if (DIALOGS.has(request.method)) send(JSON.stringify(cancelled));
  }
}
