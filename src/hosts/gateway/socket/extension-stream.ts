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
  let seq = 0;
  try {
    for (;;) {
      const next = await untilGone(iterator.next(), signal);
      if (next === undefined || next.done === true) break;
      yield { event: "stream.item", seq, json: JSON.stringify({ item: next.value ?? null }) };
      seq += 1;
    }
  } finally {
    // Not waited for: a source that hangs would keep the connection's end waiting.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
  if (!signal.aborted) yield { event: "stream.end", seq, json: "{}" };
}

/** Undefined once the signal has fired. Races against one promise for all items would keep every one of them. */
function untilGone<T>(waited: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const gone = () => resolve(undefined);
    signal.addEventListener("abort", gone, { once: true });
    if (signal.aborted) gone();
    const release = () => signal.removeEventListener("abort", gone);
    Promise.resolve(waited).then(resolve, reject).finally(release);
  });
}
