import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { CLI_MAIN, SHELL_PATH } from "./treadle.js";

export interface Size {
  columns: number;
  rows: number;
}

/** A program in a pseudo-terminal, and the screen that a person in front of it would see. */
export class TerminalSession {
  readonly #process: pty.IPty;
  readonly #screen: xterm.Terminal;
  /** What the program has sent, escape sequences and all. */
  bytes = "";
  /** Called whenever the screen has taken something in. */
  onDraw: () => void = () => {};
  #exit: { exitCode: number; signal?: number } | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(argv: readonly string[], folder: string, { columns, rows }: Size = { columns: 80, rows: 24 }) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    const [command = "", ...args] = argv;
    this.#process = pty.spawn(command, args, {
      cols: columns,
      rows,
      cwd: folder,
      name: "xterm-256color",
      env: { PATH: SHELL_PATH, HOME: folder, TERM: "xterm-256color", NO_COLOR: "1" },
    });
    this.#process.onData((data) => {
      this.bytes += data;
      this.#screen.write(data, () => this.#look());
    });
    this.#process.onExit((exit) => {
      this.#screen.write("", () => {
        this.#exit = exit;
        this.#look();
      });
    });
    onTestFinished(() => {
      if (this.#exit === undefined) this.#process.kill("SIGKILL");
      this.#screen.dispose();
    });
  }

  /** The command as a shell gets it. */
  static get mainCommand(): string {
    return `${process.execPath} ${CLI_MAIN}`;
  }

  static treadle(args: readonly string[], folder: string, size?: Size): TerminalSession {
    return new TerminalSession([process.execPath, CLI_MAIN, ...args], folder, size);
  }

  /** All lines from the first one on, also those that have scrolled away; no empty ones at the end. */
  get lines(): string[] {
    return this.#linesFrom(0);
  }

  /** The lines that are in view. */
  get view(): string[] {
    return this.#linesFrom(this.#screen.buffer.active.baseY);
  }

  #linesFrom(first: number): string[] {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let at = first; at < active.length; at += 1) {
      const line = active.getLine(at);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ""}${text}`);
      else lines.push(text);
    }
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  get isCursorShown(): boolean {
    return this.bytes.lastIndexOf("\u001b[?25h") >= this.bytes.lastIndexOf("\u001b[?25l");
  }

  type(text: string): void {
    this.#process.write(text);
  }

  resize({ columns, rows }: Size): void {
    this.#screen.resize(columns, rows);
    this.#process.resize(columns, rows);
  }

  /** Resolves once the screen is as described; rejects when the program ends before. */
  async shows(what: RegExp | ((lines: readonly string[]) => boolean)): Promise<void> {
    const holds = () => (typeof what === "function" ? what(this.lines) : what.test(this.lines.join("\n")));
    await this.#until(holds, () => `the screen never showed ${what}`);
  }

  /** What the program answered its caller. */
  async ended(): Promise<number> {
    await this.#until(
      () => this.#exit !== undefined,
      () => "",
    );
    return this.#exit?.exitCode ?? -1;
  }

  #look(): void {
    this.onDraw();
    for (const check of [...this.#waiting]) check();
  }

  #until(holds: () => boolean, complaint: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!holds() && this.#exit === undefined) return;
        this.#waiting.delete(check);
        if (holds()) resolve();
        else reject(new Error(`${complaint()}; it shows:\n${this.lines.join("\n")}`));
      };
      this.#waiting.add(check);
      check();
    });
  }
}
