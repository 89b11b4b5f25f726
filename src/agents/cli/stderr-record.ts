import { shorten } from "../../util/bounded-text.js";
import { LineTail } from "../process/line-tail.js";

const HEAD_LINES = 10;
const LINES = { maxLines: 20, maxLineLength: 1_000 };

/**
 * A tool's stderr, bounded: the first lines, which show errors from the start, and the
 * last ones, which say what ended it.
 */
export class StderrRecord {
  readonly #head: string[] = [];
  readonly #tail = new LineTail(LINES);
  #recent = new LineTail(LINES);
  #left = 0;

  add(line: string): void {
    if (line.trim() === "") return;
    this.#recent.add(line);
    if (this.#head.length < HEAD_LINES) {
      this.#head.push(shorten(line, LINES.maxLineLength));
      return;
    }
    this.#left += 1;
    this.#tail.add(line);
  }

  /** The tool has begun to work: what it wrote so far did not keep it from that. */
  begun(): void {
    this.#recent = new LineTail(LINES);
  }

  /** For people. */
  text(): string {
    const tail = this.#tail.lines();
    const missing = this.#left - tail.length;
    return [...this.#head, ...(missing > 0 ? [`… ${missing} more lines …`] : []), ...tail].join("\n");
  }

  /** Lines that can have to do with the end of the call: none that were written before the tool began to work. */
  recent(): string {
    return this.#recent.text();
  }
}
