import type { FileHandle } from "node:fs/promises";

export interface LinePage {
  /** The lines, each with its line break. */
  bytes: Buffer;
  /** Number of lines in `bytes`, a cut one included. */
  lines: number;
  /** Whether the file continues after `bytes`. */
  more: boolean;
  /** Whether the single line in `bytes` is longer than `maxBytes` and was cut. */
  cut: boolean;
  /** Lines seen, those before the page included. */
  seen: number;
}

const LINE_FEED = 0x0a;

/**
 * `limit` lines from line `offset` (1 is the first) that fit into `maxBytes`.
 * Memory is bounded by `maxBytes` and one chunk, however large the file is.
 */
export async function readLinePage(
  handle: FileHandle,
  page: { offset: number; limit: number; maxBytes: number; signal: AbortSignal },
): Promise<LinePage> {
  const { offset, limit, maxBytes, signal } = page;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let lines = 0;
  /** Number of the line that the next byte belongs to, and whether it has bytes already. */
  let current = 1;
  let begun = false;
  let partial: Buffer[] = [];
  let partialBytes = 0;
  const result = (more: boolean, cut = false): LinePage => ({
    bytes: Buffer.concat(kept, keptBytes),
    lines,
    more,
    cut,
    seen: begun ? current : current - 1,
  });
  const keepPartial = () => {
    kept.push(...partial);
    keptBytes += partialBytes;
    partial = [];
    partialBytes = 0;
    lines += 1;
  };

  for await (const chunk of handle.createReadStream({
    autoClose: false,
    start: 0,
  }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    let start = 0;
    while (start < chunk.length) {
      if (lines === limit) return result(true);
      const feed = chunk.indexOf(LINE_FEED, start);
      const end = feed === -1 ? chunk.length : feed + 1;
      if (current >= offset) {
        const room = maxBytes - keptBytes - partialBytes;
        if (end - start > room) {
          if (lines > 0) return result(true);
          partial.push(chunk.subarray(start, start + room));
          partial = [wholeCharacters(Buffer.concat(partial))];
          partialBytes = (partial[0] as Buffer).length;
          keepPartial();
          return result(true, true);
        }
        partial.push(chunk.subarray(start, end));
        partialBytes += end - start;
        if (feed !== -1) keepPartial();
      }
      begun = feed === -1;
      if (!begun) current += 1;
      start = end;
    }
  }
  if (partialBytes > 0) keepPartial();
  return result(false);
}

/** UTF-8 without the beginning of a character that was cut off at its end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  // 10xxxxxx continues with a character: at most three of them follow its first byte.
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
