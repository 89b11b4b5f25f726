import { ServiceError } from "../../errors/service-error.js";
import { Cursor } from "./cursor.js";
import { asTerminalCodes, type Colors, createColors } from "./styles.js";
import { fitLine, visibleWidth } from "./table.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** Terminals that know these show what is between them at once; others pass over them. */
const BEGIN_UPDATE = "\u001b[?2026h";
const END_UPDATE = "\u001b[?2026l";

/** The part of a writable stream that the command line uses. */
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
 * One of the two output streams, and the only way to them: whatever is printed has its hidden
 * characters made visible here, so that no text of a workflow, an agent or a row acts on the
 * terminal. Styles come from `colors`. A reader that goes away (`treadle … | head`) closes it:
 * later writes are dropped, nothing fails.
 */
export class OutputStream {
  readonly colors: Colors;
  readonly isTty: boolean;
  readonly #end: WritableEnd;
  #isOpen = true;
  #isRaw = false;
  /** Columns that each line of the picture takes which stands on the terminal. */
  #picture: readonly number[] = [];
  readonly #cursor = new Cursor((bytes) => this.#send(bytes));

  readonly #write: (text: string) => boolean;

  constructor(end: WritableEnd, environment: NodeJS.ProcessEnv) {
    this.#end = end;
    // Bound now: the command line may redirect what others write to the same stream.
    this.#write = end.write.bind(end);
    this.isTty = end.isTTY === true;
    this.colors = createColors(wantsColor(this.isTty, environment));
    end.on("error", () => {
      this.#isOpen = false;
    });
  }

  /** False once the reader has gone. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get columns(): number {
    // A terminal that does not know its size says 0.
    return this.#end.columns || 80;
  }

  /** Columns that a line of a table may take: a pipe or a file takes it whole. */
  get tableWidth(): number {
    // Some terminals break a line that fills the last column.
    return this.isTty ? this.columns - 1 : Number.POSITIVE_INFINITY;
  }

  get rows(): number {
    return this.#end.rows || 24;
  }

  write(text: string): void {
    const bytes = asTerminalCodes(this.#isRaw ? text : visibleText(text));
    // A picture that stands makes way; who draws it puts it below.
    this.#send(bytes === "" ? "" : `${this.#takeAway()}${bytes}`);
  }

  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Sends text as it is from now on, for a program that reads it: never to a terminal. */
  sendRaw(): void {
    if (this.isTty) {
      throw new ServiceError("CLI_USAGE", "--raw is for pipes and files: text could act on this terminal.", {
        details: { flag: "--raw" },
      });
    }
    this.#isRaw = true;
  }

  /**
   * Puts `lines`, none to take it away, where the last picture stands. One write, which terminals that can
   * show at once, so that no half-drawn picture is ever seen; while one stands there is no cursor to flicker.
   */
  redraw(lines: readonly string[]): void {
    const shown = lines.map((line) => fitLine(line, this.columns - 1));
    const picture = shown.map((line) => `${asTerminalCodes(visibleLine(line))}\n`).join("");
    const bytes = `${this.#takeAway()}${picture}`;
    if (lines.length > 0) this.#cursor.hide();
    if (bytes !== "") this.#send(`${BEGIN_UPDATE}${bytes}${END_UPDATE}`);
    this.#picture = shown.map((line) => visibleWidth(line));
    if (lines.length === 0) this.#cursor.show();
  }

  /** The picture stays as it is, and what is written next comes below it. */
  keepPicture(): void {
    this.#picture = [];
    this.#cursor.show();
  }

  /** The bytes that take the picture away. */
  #takeAway(): string {
    const standing = this.#picture;
    if (standing.length === 0) return "";
    this.#picture = [];
    const { columns } = this;
    // Since a window became narrower, its terminal may have broken each line into several.
    const height = standing.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    // Text typed meanwhile, such as ^C, stands before the cursor.
    return `\r\u001b[${height}A\u001b[0J`;
  }

  #send(bytes: string): void {
    if (this.#isOpen && bytes !== "") this.#write(bytes);
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
