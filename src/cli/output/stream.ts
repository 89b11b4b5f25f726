import pc from "picocolors";

export type Colors = ReturnType<typeof pc.createColors>;

/** The part of a writable stream that the command line uses; `process.stdout` is one. */
export interface WritableEnd {
  write(text: string): boolean;
  once(event: "drain", listener: () => void): unknown;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly writableLength?: number;
}

/**
 * One of the two output streams. A reader that goes away (`treadle … | head`)
 * closes it: later writes are dropped, nothing fails.
 */
export class OutputStream {
  readonly colors: Colors;
  readonly isTty: boolean;
  readonly #end: WritableEnd;
  #isOpen = true;

  readonly #write: (text: string) => boolean;

  constructor(end: WritableEnd, environment: NodeJS.ProcessEnv) {
    this.#end = end;
    // Bound now: the command line may redirect what others write to the same stream.
    this.#write = end.write.bind(end);
    this.isTty = end.isTTY === true;
    this.colors = pc.createColors(wantsColor(this.isTty, environment));
    end.on("error", () => {
      this.#isOpen = false;
    });
  }

  /** False once the reader has gone. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get columns(): number {
    return this.#end.columns ?? 80;
  }

  get rows(): number {
    return this.#end.rows ?? 24;
  }

  write(text: string): void {
    if (this.#isOpen && text !== "") this.#write(text);
  }

  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Resolves when what was written has left the process, or cannot any more. */
  async flush(): Promise<void> {
    while (this.#isOpen && (this.#end.writableLength ?? 0) > 0) {
      await new Promise<void>((resolve) => {
        this.#end.once("drain", resolve);
        this.#end.on("error", () => resolve());
      });
    }
  }
}

/** https://no-color.org and https://force-color.org: any non-empty value counts, NO_COLOR first. */
function wantsColor(isTty: boolean, environment: NodeJS.ProcessEnv): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTty && TERM !== "dumb";
}
