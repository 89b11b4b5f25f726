import type { HttpAnswer } from "../../network/send-guarded.js";
import type { ToolCall } from "../tool-call.js";
import { withoutCredentials } from "./credentials.js";
import type { HttpToolOutput } from "./http-input.js";

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a response into a plain value. A body above the call's limit comes as cut
 * text, also when it is JSON. `credentials` are removed wherever they stand.
 */
export async function toHttpOutput(
  response: HttpAnswer,
  call: ToolCall,
  credentials: readonly string[],
): Promise<HttpToolOutput> {
  return {
    ok: response.ok,
    status: response.status,
    statusText: response.statusText,
    headers: plainHeaders(response.headers, credentials),
    body: await readBody(response, call, credentials),
  };
}

async function readBody(
  response: HttpAnswer,
  call: ToolCall,
  credentials: readonly string[],
): Promise<unknown> {
  const limit = call.context.maxOutputBytes;
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream, so an endless response ends here.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  if (length === 0) return null;
  const raw = new TextDecoder().decode(Buffer.concat(chunks, Math.min(length, limit + 4)));
  const text = withoutCredentials(raw, credentials);
  if (length > limit || !JSON_TYPE.test(response.headers.get("content-type") ?? "")) return call.cap(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function plainHeaders(headers: Headers, credentials: readonly string[]): Record<string, string> {
  const plain: Record<string, string> = {};
  // Only Set-Cookie appears more than once here: all others are joined already.
  for (const [name, raw] of headers) {
    const value = withoutCredentials(raw, credentials);
    plain[name] = name in plain ? `${plain[name]}, ${value}` : value;
  }
  return plain;
}
