import { type Dialect, modelOf, namesOf, type StreamEvent } from "./dialect.js";
import { type ModelRequest, pieces, type ResolvedAnswer } from "./reply.js";

const STOP_REASON = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  refusal: "refusal",
} as const;

/** Anthropic's Messages protocol. */
export const anthropic: Dialect = {
  whole: (answer, request) => ({
    ...envelope(request),
    content: blocksOf(answer).map((block) => block.whole),
    stop_reason: STOP_REASON[answer.finish],
    stop_sequence: null,
    usage: usageOf(answer),
  }),

  stream(answer, request) {
    const event = (type: string, data: object = {}): StreamEvent => ({
      event: type,
      data: { type, ...data },
    });
    const usage = { ...usageOf(answer), output_tokens: 1 };
    return [
      event("message_start", { message: { ...envelope(request), content: [], stop_reason: null, usage } }),
      ...blocksOf(answer).flatMap((block, index) => [
        event("content_block_start", { index, content_block: block.empty }),
        ...block.deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", {
        delta: { stop_reason: STOP_REASON[answer.finish], stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      }),
      event("message_stop"),
    ];
  },

  error: ({ type = "api_error", message }) => ({ type: "error", error: { type, message } }),
  streamError: ({ type, message }) => ({
    event: "error",
    data: { type: "error", error: { type, message } },
  }),
  tools: (body) => namesOf(body["tools"]),
};

interface Block {
  whole: unknown;
  empty: unknown;
  deltas: unknown[];
}

function blocksOf(answer: ResolvedAnswer): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning !== undefined) {
    blocks.push({
      whole: { type: "thinking", thinking: answer.reasoning, signature: "signed" },
      empty: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(answer.reasoning, answer.piece).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "signed" },
      ],
    });
  }
  if (answer.text !== undefined) {
    blocks.push({
      whole: { type: "text", text: answer.text },
      empty: { type: "text", text: "" },
      deltas: pieces(answer.text, answer.piece).map((text) => ({ type: "text_delta", text })),
    });
  }
  for (const { id, name, input } of answer.toolCalls) {
    blocks.push({
      whole: { type: "tool_use", id, name, input },
      empty: { type: "tool_use", id, name, input: {} },
      deltas: pieces(JSON.stringify(input), answer.piece).map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    });
  }
  return blocks;
}

function envelope(request: ModelRequest) {
  return { id: `msg_${request.number}`, type: "message", role: "assistant", model: modelOf(request) };
}

/** This protocol counts cached tokens beside the input tokens, not among them. */
function usageOf({ usage }: ResolvedAnswer) {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.output,
  };
}
