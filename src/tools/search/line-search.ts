import { type Context, createContext, Script } from "node:vm";
import { ServiceError } from "../../errors/service-error.js";

/** A matching line; `line` counts from 1. */
export interface LineMatch {
  line: number;
  text: string;
}

/** Longest piece of a line that is matched, in characters; the rest of longer lines is not looked at. */
const LONGEST_LINE = 16_384;
/** Time after which a search lets the event loop run. */
const SLICE_MS = 15;
/** Time after which one test of the pattern is given up: patterns can take exponential time. */
const GUARD_MS = 500;

/**
 * Searches text line by line with a pattern that may be hostile. The matching
 * itself runs under a watchdog of the VM, the only thing that can interrupt a
 * regular expression from inside the same thread.
 */
export class LineSearch {
  readonly #pattern: RegExp;
  readonly #scan = new Script("scan()");
  readonly #context: Context;
  #step: () => void = () => {};

  /** @throws ServiceError TOOL_GREP_FAILED for a pattern that is not a regular expression */
  constructor(pattern: string, ignoreCase: boolean) {
    try {
      this.#pattern = new RegExp(pattern, ignoreCase ? "i" : "");
    } catch (error) {
      throw grepFailed((error as Error).message, { pattern });
    }
    this.#context = createContext({ scan: () => this.#step() });
  }

  /**
   * Calls `onMatch` for every matching line until it returns false.
   * @throws ServiceError TOOL_GREP_FAILED when the pattern takes too long on one line
   */
  async search(
    text: string,
    options: { shown: string; signal: AbortSignal; onMatch(match: LineMatch): boolean },
  ): Promise<void> {
    let start = 0;
    let line = 0;
    let done = text === "";
    this.#step = () => {
      const pauseAt = performance.now() + SLICE_MS;
      // The clock is read every few lines: reading it for each would cost more than most matches.
      while (!done && (line % 64 !== 63 || performance.now() < pauseAt)) {
        const feed = text.indexOf("\n", start);
        const end = feed === -1 ? text.length : feed;
        const content = text.slice(start, Math.min(end, start + LONGEST_LINE)).replace(/\r$/, "");
        const matches = this.#pattern.test(content);
        line += 1;
        start = end + 1;
        done = start >= text.length;
        if (matches && !options.onMatch({ line, text: content })) done = true;
      }
    };
    while (!done) {
      options.signal.throwIfAborted();
      const before = line;
      const finished = this.#runGuarded();
      // A slice that got anywhere may have been slow for other reasons; its last line gets a second chance.
      if (!finished && line === before) {
        throw grepFailed(`the pattern takes too long on line ${line + 1} of "${options.shown}"`, {
          pattern: this.#pattern.source,
        });
      }
      if (!done) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #runGuarded(): boolean {
    try {
      this.#scan.runInContext(this.#context, { timeout: GUARD_MS });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
      throw error;
    }
  }
}

export function grepFailed(problem: string, details: Record<string, unknown> = {}): ServiceError {
  return new ServiceError("TOOL_GREP_FAILED", `The search failed: ${problem}.`, { details });
}
