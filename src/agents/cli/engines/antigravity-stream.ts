import type { TokenUsage } from "../../../model/agent.js";
import type { CliParser, JsonLine } from "../engine.js";
import { numberOf, recordOf, recordsOf, textOf, tokenUsage } from "../json-fields.js";
import type { Transcript } from "../transcript.js";

/**
 * Reads `agy --output-format stream-json`: `init`, `step_update`, `result`, each under its own name.
 * An `AGY_ERROR: {…}` on stderr counts even when the tool exits with 0. The totals of
 * `result` count the whole conversation, so the tokens of the steps are summed instead.
 */
export function createAntigravityParser(): CliParser {
  const steps = new Map<number, TokenUsage>();
  return {
    json(line, { transcript }) {
      const body = recordOf(line, textOf(line, "event") ?? "");
      transcript.session(textOf(line, "conversation_id") ?? textOf(body, "conversation_id"));
      switch (line["event"]) {
        case "init":
          transcript.model(textOf(body, "model"));
          return;
        case "step_update":
          if (body !== undefined) readStep(body, { transcript, steps });
          return;
        case "result":
          readResult(body, { transcript, steps });
          return;
      }
    },
    end: (transcript) => count(steps, transcript),
    stderr(line, { transcript }) {
      if (!line.startsWith("AGY_ERROR:")) return;
      const stated = stateOf(line);
      transcript.fail({
        message: textOf(stated, "short_error") ?? line,
        status: numberOf(stated, "error_code"),
      });
    },
  };
}

interface Known {
  transcript: Transcript;
  /** Tokens by step. */
  steps: Map<number, TokenUsage>;
}

function readStep(step: JsonLine, { transcript, steps }: Known): void {
  const usage = usageOf(recordOf(step, "usage"));
  if (usage !== undefined) steps.set(numberOf(step, "step_index") ?? steps.size, usage);
  if (step["step_type"] === "agent_response") {
    transcript.delta(textOf(step, "text_delta") ?? "");
    if (step["state"] === "ERROR") transcript.warn({ message: errorOf(step) ?? "A response broke off." });
    else if (step["state"] === "DONE") transcript.endMessage();
  } else if (step["step_type"] !== "user_input") readTool(step, transcript);
}

function readTool(step: JsonLine, transcript: Transcript): void {
  const info = recordOf(step, "tool_info");
  const name = textOf(step, "tool_name") ?? textOf(step, "step_type") ?? "tool";
  const id = `step-${numberOf(step, "step_index") ?? name}`;
  if (step["state"] === "ACTIVE") transcript.toolStarted({ id, name, input: info?.["parameters"] });
  else {
    const ok = step["state"] !== "ERROR" && info?.["error"] === undefined;
    const output = textOf(info, "output") ?? errorOf(info);
    transcript.toolDone({ id, ok, output }, { name, input: info?.["parameters"] });
  }
}

function readResult(result: JsonLine | undefined, { transcript, steps }: Known): void {
  const total = usageOf(recordOf(result, "usage"));
  if (steps.size === 0 && total !== undefined) transcript.usage(total);
  count(steps, transcript);
  const response = textOf(result, "response");
  const status = (textOf(result, "status") ?? "").toUpperCase();
  transcript.final(response);
  if (status !== "SUCCESS") {
    transcript.fail({ message: errorOf(result) ?? `The tool reports the status "${status}".` });
    return;
  }
  const denied = recordsOf(result, "denied_actions").map(
    (action) => textOf(action, "display_name") ?? textOf(action, "action") ?? "an action",
  );
  if ((response ?? "").trim() === "" && denied.length > 0) {
    transcript.fail({ message: `It auto-denied ${denied.join(", ")} and answered nothing; see \`yolo\`.` });
  }
}

function count(steps: Known["steps"], transcript: Transcript): void {
  for (const usage of steps.values()) transcript.addUsage(usage);
  steps.clear();
}

/** `error` is a text or `{message}`. */
function errorOf(record: JsonLine | undefined): string | undefined {
  return textOf(record, "error") ?? textOf(recordOf(record, "error"), "message");
}

function stateOf(line: string): JsonLine | undefined {
  try {
    return recordOf({ state: JSON.parse(line.slice("AGY_ERROR:".length)) as unknown }, "state");
  } catch {
    return undefined;
  }
}

function usageOf(usage: JsonLine | undefined): TokenUsage | undefined {
  const cacheRead = numberOf(usage, "cache_read_tokens");
  return tokenUsage({
    input: (numberOf(usage, "input_tokens") ?? 0) + (cacheRead ?? 0),
    output: numberOf(usage, "output_tokens"),
    cacheRead,
    reasoning: numberOf(usage, "thinking_tokens"),
  });
}
