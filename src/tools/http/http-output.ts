import type { HttpAnswer } from "../../network/send-guarded.js";
import type { Redactor } from "../../util/redactor.js";
import type { ToolCall } from "../tool-call.js";
import type { HttpToolOutput } from "./http-input.js";

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a response into a plain value. A body above the call's limit comes as cut
 * text, also when it is JSON. Secrets that `redactor` knows are removed everywhere.
 */
export async function toHttpOutput(
  response: HttpAnswer,
  call: ToolCall,
  redactor: Redactor,
): Promise<HttpToolOutput> {
  return {
    ok: response.ok,
    status: response.status,
    statusText: response.statusText,
    headers: plainHeaders(response.headers, redactor),
    body: await readBody(response, call, redactor),
  };
}

async function readBody(response: HttpAnswer, call: ToolCall, redactor: Redactor): Promise<unknown> {
  if (response.status === 204 || response.status === 205) {
    response.body.destroy();
    return null;
  }
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
  if (length > limit) {
    call.noteTruncation();
    const text = redactor.text(raw);
    // Where the body is cut, a credential may be as well.
    return call.cap(text.slice(0, text.length - redactor.begunAtEndOf(text)));
  }
  if (!JSON_TYPE.test(response.headers.get("content-type") ?? "")) return call.cap(redactor.text(raw));
  try {
    return redactor.value(JSON.parse(raw));
  } catch {
    return redactor.text(raw);
  }
}

function plainHeaders(headers: Headers, redactor: Redactor): Record<string, string> {
  const values = new Map<string, string[]>();
  // Only Set-Cookie appears more than once here: all others are joined already.
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), redactor.text(value)]);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join(", ")]));
}
