import { type Dialect, modelOf, namesOf, type StreamEvent } from "./dialect.js";
import { type ModelRequest, pieces, type ResolvedAnswer } from "./reply.js";

/** OpenAI's Responses protocol. */
export const openaiResponses: Dialect = {
  whole: (answer, request) => ({
    ...envelope(request),
    ...ending(answer),
    output: itemsOf(answer, request).map((item) => item.whole),
    usage: usageOf(answer),
  }),

  stream(answer, request) {
    let sequence_number = 0;
    const event = (type: string, data: object): StreamEvent => {
      sequence_number += 1;
      return { event: type, data: { type, sequence_number, ...data } };
    };
    const final = { ...envelope(request), ...ending(answer), usage: usageOf(answer) };
    return [
      event("response.created", { response: { ...envelope(request), status: "in_progress" } }),
      ...itemsOf(answer, request).flatMap((item, output_index) => [
        event("response.output_item.added", { output_index, item: item.empty }),
        ...item.deltas.map(({ type, delta }) =>
          event(type, { item_id: item.id, output_index, content_index: 0, summary_index: 0, delta }),
        ),
        event("response.output_item.done", { output_index, item: item.whole }),
      ]),
      event(`response.${ending(answer).status}`, { response: final }),
    ];
  },

  error: ({ type = "server_error", message }) => ({ error: { message, type, param: null, code: type } }),
  streamError: ({ type, message }) => ({
    event: "error",
    data: { type: "error", sequence_number: 0, error: { type, code: type, message, param: null } },
  }),
  tools: (body) => namesOf(body["tools"]),
};

interface Item {
  id: string;
  whole: unknown;
  empty: unknown;
  deltas: { type: string; delta: string }[];
}

function itemsOf(answer: ResolvedAnswer, request: ModelRequest): Item[] {
  const items: Item[] = [];
  if (answer.reasoning !== undefined) {
    const id = `rs_${request.number}`;
    items.push({
      id,
      whole: { type: "reasoning", id, summary: [{ type: "summary_text", text: answer.reasoning }] },
      empty: { type: "reasoning", id, summary: [] },
      deltas: pieces(answer.reasoning, answer.piece).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        delta,
      })),
    });
  }
  if (answer.text !== undefined) {
    const id = `msg_${request.number}`;
    const message = { type: "message", id, role: "assistant", status: "completed" };
    items.push({
      id,
      whole: { ...message, content: [{ type: "output_text", text: answer.text, annotations: [] }] },
      empty: { ...message, status: "in_progress", content: [] },
      deltas: pieces(answer.text, answer.piece).map((delta) => ({
        type: "response.output_text.delta",
        delta,
      })),
    });
  }
  for (const { id: call_id, name, input } of answer.toolCalls) {
    const id = `fc_${call_id}`;
    const call = { type: "function_call", id, call_id, name };
    const json = JSON.stringify(input);
    items.push({
      id,
      whole: { ...call, arguments: json, status: "completed" },
      empty: { ...call, arguments: "", status: "in_progress" },
      deltas: pieces(json, answer.piece).map((delta) => ({
        type: "response.function_call_arguments.delta",
        delta,
      })),
    });
  }
  return items;
}

function envelope(request: ModelRequest) {
  return {
    id: `resp_${request.number}`,
    object: "response",
    created_at: 1_700_000_000,
    model: modelOf(request),
  };
}

function ending({ finish }: ResolvedAnswer) {
  const reason = { length: "max_output_tokens", refusal: "content_filter", stop: null, "tool-calls": null }[
    finish
  ];
  return reason === null
    ? { status: "completed", incomplete_details: null }
    : { status: "incomplete", incomplete_details: { reason } };
}

function usageOf({ usage }: ResolvedAnswer) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}
