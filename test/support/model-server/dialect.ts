import type { Failure, ModelRequest, ResolvedAnswer } from "./reply.js";

/** One server-sent event; `event` is left out by protocols that do not name theirs. */
export interface StreamEvent {
  event?: string;
  data: unknown;
}

/** How one protocol writes answers and errors. */
export interface Dialect {
  /** Body of an answer in one piece. */
  whole(answer: ResolvedAnswer, request: ModelRequest): unknown;
  /** The same answer as a stream, end mark included. */
  stream(answer: ResolvedAnswer, request: ModelRequest): StreamEvent[];
  /** Body of an HTTP error. */
  error(failure: Failure): unknown;
  /** An error in the middle of a stream. */
  streamError(failure: { type: string; message: string }): StreamEvent;
  /** Names of the tools that a request declares. */
  tools(body: Record<string, unknown>): string[];
}

export function modelOf(request: ModelRequest): string {
  return String(request.body["model"]);
}

/** Names in a list of `{name}` or `{function: {name}}`. */
export function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { name?: string; function?: { name?: string } }) =>
    String(tool.name ?? tool.function?.name),
  );
}
