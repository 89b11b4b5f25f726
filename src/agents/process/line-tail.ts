import { shorten } from "../../util/bounded-text.js";

/** The last lines of a stream, within a number of characters. */
export class LineTail {
  readonly #lines: string[] = [];
  readonly #maxLines: number;
  readonly #maxLineLength: number;

  constructor(limits: { maxLines: number; maxLineLength: number }) {
    this.#maxLines = limits.maxLines;
    this.#maxLineLength = limits.maxLineLength;
  }

  /** Blank lines tell nothing and take no place. */
  add(line: string): void {
    if (line.trim() === "") return;
    this.#lines.push(shorten(line, this.#maxLineLength));
    if (this.#lines.length > this.#maxLines) this.#lines.shift();
  }

  lines(): readonly string[] {
    return this.#lines;
  }

  text(): string {
    return this.#lines.join("\n");
  }
}
