import { type Dialect, modelOf, namesOf } from "./dialect.js";
import { type ModelRequest, pieces, type ResolvedAnswer } from "./reply.js";

const FINISH_REASON = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
} as const;

/** OpenAI's chat-completions protocol, which compatible servers speak too. */
export const openaiChat: Dialect = {
  whole: (answer, request) => ({
    ...envelope(request, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text ?? null,
          ...(answer.toolCalls.length > 0 && { tool_calls: answer.toolCalls.map(callOf) }),
        },
        finish_reason: FINISH_REASON[answer.finish],
      },
    ],
    usage: usageOf(answer),
  }),

  stream(answer, request) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: {
        ...envelope(request, "chat.completion.chunk"),
        choices: [{ index: 0, delta, finish_reason }],
      },
    });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.text ?? "", answer.piece).map((content) => chunk({ content })),
      ...answer.toolCalls.flatMap((call, index) => {
        const { arguments: input } = callOf(call).function;
        const head = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
        return [
          chunk({ tool_calls: [head] }),
          ...pieces(input, answer.piece).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ];
      }),
      chunk({}, FINISH_REASON[answer.finish]),
      { data: { ...envelope(request, "chat.completion.chunk"), choices: [], usage: usageOf(answer) } },
      { data: "[DONE]" },
    ];
  },

  error: ({ type = "server_error", message }) => ({ error: { message, type, param: null, code: type } }),
  streamError: ({ type, message }) => ({ data: { error: { message, type, param: null, code: type } } }),
  tools: (body) => namesOf(body["tools"]),
};

function envelope(request: ModelRequest, object: string) {
  return { id: `chatcmpl-${request.number}`, object, created: 1_700_000_000, model: modelOf(request) };
}

function callOf({ id, name, input }: ResolvedAnswer["toolCalls"][number]) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function usageOf({ usage }: ResolvedAnswer) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
