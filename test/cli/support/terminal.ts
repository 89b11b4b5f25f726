import { PassThrough } from "node:stream";
import { OutputStream, type WritableEnd } from "../../../src/cli/output/stream.js";
import type { Terminal } from "../../../src/cli/terminal.js";

/** A stream end that remembers what was written and can fail like a closed pipe. */
export class MemoryEnd implements WritableEnd {
  text = "";
  readonly writableLength = 0;
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  #fail: ((error: NodeJS.ErrnoException) => void) | undefined;

  constructor({ isTTY = false, columns = 100, rows = 24 } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  once(): this {
    return this;
  }

  on(_event: "error", listener: (error: NodeJS.ErrnoException) => void): this {
    this.#fail = listener;
    return this;
  }

  /** The reader goes away. */
  breakPipe(): void {
    this.#fail?.(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  }
}

export interface MemoryTerminal extends Terminal {
  readonly outEnd: MemoryEnd;
  readonly errEnd: MemoryEnd;
  readonly input: PassThrough;
}

export function memoryTerminal(
  options: {
    cwd?: string;
    isInteractive?: boolean;
    environment?: NodeJS.ProcessEnv;
    answers?: string[];
  } = {},
): MemoryTerminal {
  const { cwd = process.cwd(), isInteractive = false, environment = {}, answers = [] } = options;
  const outEnd = new MemoryEnd();
  const errEnd = new MemoryEnd({ isTTY: isInteractive });
  const input = new PassThrough();
  for (const answer of answers) input.write(`${answer}\n`);
  if (!isInteractive) input.end();
  const colorless = { NO_COLOR: "1", ...environment };
  return {
    out: new OutputStream(outEnd, colorless),
    err: new OutputStream(errEnd, colorless),
    outEnd,
    errEnd,
    input,
    environment,
    cwd,
    runner: "treadle",
    isInteractive,
  };
}
