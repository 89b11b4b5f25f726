import type { Extended, ExtensionStream } from "../extensions.js";
import type { OpenedStream, StreamContext, StreamItem } from "./stream-method.js";

/** Opens a stream that `extend` has added. */
export function openExtensionStream(
  { namespace, key, handler }: Extended<ExtensionStream["handler"]>,
  params: unknown,
  { caller, signal }: StreamContext,
): OpenedStream {
  const source = handler(params, { namespace, key, caller, signal });
  return { answer: {}, items: itemsOf(source, signal) };
}

async function* itemsOf(
  source: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  const iterator = source[Symbol.asyncIterator]();
  const gone = new Promise<{ done: true }>((resolve) => {
    const over = () => resolve({ done: true });
    if (signal.aborted) over();
    else signal.addEventListener("abort", over, { once: true });
  });
  let seq = 0;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), gone]);
      if (next.done === true) break;
      yield { event: "stream.item", seq, json: JSON.stringify({ item: next.value ?? null }) };
      seq += 1;
    }
  } finally {
    // Not waited for: a source that hangs would keep the connection's end waiting.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
  if (!signal.aborted) yield { event: "stream.end", seq, json: "{}" };
}
