import { ServiceError } from "../../errors/service-error.js";
import { compileLinearPattern, type LinearPattern } from "../../patterns/linear-pattern.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import { turnOfLoop } from "../../util/own-timers.js";

/** A matching line; `line` counts from 1. */
export interface LineMatch {
  line: number;
  text: string;
}

/** Longest piece of a line that is matched, in characters; the rest of longer lines is not looked at. */
const LONGEST_LINE = 16_384;
/** Time after which a search lets the event loop run. */
const SLICE_MS = 15;
/** Characters after which the clock is read: reading it for each line would cost more than most matches. */
const CHARACTERS_BETWEEN_LOOKS = 4_096;

/** Searches text line by line with a pattern that may be hostile, in time linear in the length of the text. */
export class LineSearch {
  readonly #pattern: LinearPattern;

  private constructor(pattern: LinearPattern) {
    this.#pattern = pattern;
  }

  /** @throws TOOL_GREP_FAILED for a pattern that is not valid, or not supported */
  static async create(source: string, ignoreCase: boolean): Promise<LineSearch> {
    const compiled = await compileLinearPattern(source, { ignoreCase });
    if ("problem" in compiled) throw grepFailed(compiled.problem, { pattern: source });
    return new LineSearch(compiled.pattern);
  }

  /** Calls `onMatch` for every matching line until it returns false. */
  async search(
    text: string,
    options: { signal: AbortSignal; onMatch(match: LineMatch): boolean },
  ): Promise<void> {
    let start = 0;
    let line = 0;
    while (start < text.length) {
      options.signal.throwIfAborted();
      const pauseAt = monotonicMs() + SLICE_MS;
      let lookAt = start + CHARACTERS_BETWEEN_LOOKS;
      while (start < text.length) {
        const feed = text.indexOf("\n", start);
        const end = feed === -1 ? text.length : feed;
        const content = text.slice(start, Math.min(end, start + LONGEST_LINE)).replace(/\r$/, "");
        line += 1;
        start = end + 1;
        if (this.#pattern.test(content) && !options.onMatch({ line, text: content })) return;
        if (start < lookAt) continue;
        if (monotonicMs() >= pauseAt) break;
        lookAt = start + CHARACTERS_BETWEEN_LOOKS;
      }
      if (start < text.length) await turnOfLoop();
    }
  }
}

function grepFailed(problem: string, details: Record<string, unknown>): ServiceError {
  return new ServiceError("TOOL_GREP_FAILED", `The search failed: ${problem}.`, { details });
}
