import { MockLanguageModelV3 } from "ai/test";

export interface Conversation {
  /** The text that was asked. */
  prompt: string;
  /** What the tools called so far returned, oldest first. */
  results: readonly unknown[];
}

/** What the model does in one turn: call a tool, or answer. */
export type Turn = { call: string; input: object } | { answer: object };

/**
 * A stand-in for a language model, so that the examples work without a key and a network: its turns
 * are written down, everything around it is real.
 */
export function offlineModel(...turns: ((seen: Conversation) => Turn)[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    modelId: "offline",
    doGenerate: async ({ prompt }) => {
      const seen = conversationOf(prompt);
      // Each turn before this one called one tool.
      const turn = turns[Math.min(seen.results.length, turns.length - 1)]?.(seen) ?? { answer: {} };
      const isCall = "call" in turn;
      return {
        content: isCall
          ? [
              {
                type: "tool-call",
                toolCallId: `call-${seen.results.length + 1}`,
                toolName: turn.call,
                input: JSON.stringify(turn.input),
              },
            ]
          : [{ type: "text", text: JSON.stringify(turn.answer) }],
        finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}

type Messages = Parameters<MockLanguageModelV3["doGenerate"]>[0]["prompt"];

function conversationOf(messages: Messages): Conversation {
  const texts: string[] = [];
  const results: unknown[] = [];
  for (const message of messages) {
    if (message.role === "user") {
      for (const part of message.content) if (part.type === "text") texts.push(part.text);
    }
    if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type === "tool-result" && "value" in part.output) results.push(part.output.value);
      }
    }
  }
  return { prompt: texts.join("\n"), results };
}
