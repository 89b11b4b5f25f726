import { StringDecoder } from "node:string_decoder";

export interface SplitLine {
  /** Without its line end. The beginning only, when `cutBytes` is not 0. */
  text: string;
  /** Length of what was left out, in bytes. */
  cutBytes: number;
}

/**
 * Cuts a byte stream into lines, in bounded memory whatever arrives: characters that span chunks,
 * half a line, one line without end. Only line feeds end a line (JSON may hold U+2028 and its kin);
 * a carriage return before one is dropped.
 */
export class LineSplitter {
  readonly #onLine: (line: SplitLine) => void;
  readonly #maxLineBytes: number;
  #decoder = new StringDecoder("utf8");
  #pieces: string[] = [];
  #bytes = 0;
  #cutBytes = 0;

  constructor(options: { maxLineBytes: number; onLine(line: SplitLine): void }) {
    this.#onLine = options.onLine;
    this.#maxLineBytes = options.maxLineBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      if (end === -1) break;
      this.#add(chunk.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** Emits what stands after the last line feed. */
  end(): void {
    if (this.#bytes > 0 || this.#cutBytes > 0) this.#emit();
  }

  #add(part: Buffer): void {
    const room = this.#maxLineBytes - this.#bytes;
    const kept = part.length <= room ? part : part.subarray(0, Math.max(0, room));
    this.#cutBytes += part.length - kept.length;
    if (kept.length === 0) return;
    this.#bytes += kept.length;
    this.#pieces.push(this.#decoder.write(kept));
  }

  #emit(): void {
    // A character that the limit cut in two is dropped with the rest of the line.
    const tail = this.#decoder.end();
    const text = this.#pieces.join("") + (this.#cutBytes > 0 ? "" : tail);
    const cutBytes = this.#cutBytes;
    this.#pieces = [];
    this.#bytes = 0;
    this.#cutBytes = 0;
    this.#decoder = new StringDecoder("utf8");
    this.#onLine({ text: text.endsWith("\r") ? text.slice(0, -1) : text, cutBytes });
  }
}
