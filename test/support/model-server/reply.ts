/** Which of the three protocols a request speaks. */
export type Protocol = "anthropic" | "openai-chat" | "openai-responses";

export interface ReplyUsage {
  /** All input tokens, cached ones included. */
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface ScriptedToolCall {
  name: string;
  input: unknown;
  /** @default "call_<request>_<position>" */
  id?: string;
}

/** What the model answers to one request. Members combine: reasoning, then text, then tool calls. */
export interface Answer {
  text?: string;
  /** An object asked for by schema: as text, or through the tool that the request declares for it. */
  object?: unknown;
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  usage?: ReplyUsage;
  /** @default "stop", or "tool-calls" when there are any */
  finish?: "stop" | "tool-calls" | "length" | "refusal";
  /** Characters per streamed piece. @default 8 */
  piece?: number;
  /** Of a streamed answer: the socket is destroyed after this many events. */
  cutAfter?: number;
  /** Of a streamed answer: after this many events the stream ends politely, without its end mark. */
  endAfter?: number;
  /** Of a streamed answer: after this many events an error of the provider follows in the stream. */
  failAfter?: { events: number; type: string; message: string };
  /** Of a streamed answer: nothing more is sent after this many events until the promise settles. */
  pause?: { afterEvents: number; until: Promise<unknown> };
}

/** An HTTP error in the protocol's own form. */
export interface Failure {
  status: number;
  message: string;
  /** The protocol's error type or code. */
  type?: string;
  headers?: Record<string, string>;
}

/** The request is read and never answered. */
export interface Silence {
  silent: true;
}

export type Reply = Answer | Failure | Silence;

/** A request as the server understood it. */
export interface ModelRequest {
  protocol: Protocol;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Record<string, unknown>;
  streaming: boolean;
  /** Names of the declared tools. */
  tools: string[];
  /** 1 for the first request. */
  number: number;
}

export function isFailure(reply: Reply): reply is Failure {
  return "status" in reply;
}

/** `text` in pieces, so that a stream has something to stream. */
export function pieces(text: string, size = 8): string[] {
  const result: string[] = [];
  for (let at = 0; at < text.length; at += size) result.push(text.slice(at, at + size));
  return result;
}

export interface ResolvedAnswer {
  reasoning: string | undefined;
  text: string | undefined;
  toolCalls: Required<ScriptedToolCall>[];
  usage: Required<ReplyUsage>;
  finish: "stop" | "tool-calls" | "length" | "refusal";
  piece: number | undefined;
}

/** An answer with its defaults, fitted to the request. */
export function resolveAnswer(answer: Answer, request: ModelRequest): ResolvedAnswer {
  const calls = [...(answer.toolCalls ?? [])];
  let text = answer.text;
  if (answer.object !== undefined) {
    // The tool that the AI SDK declares for models which have no other way to return an object.
    if (request.tools.includes("json")) calls.push({ name: "json", input: answer.object });
    else text = `${text ?? ""}${JSON.stringify(answer.object)}`;
  }
  return {
    reasoning: answer.reasoning,
    text,
    toolCalls: calls.map((call, index) => ({ id: `call_${request.number}_${index}`, ...call })),
    usage: { cacheRead: 0, cacheWrite: 0, reasoning: 0, ...(answer.usage ?? { input: 10, output: 5 }) },
    finish: answer.finish ?? (calls.length > 0 ? "tool-calls" : "stop"),
    piece: answer.piece,
  };
}
