/**
 * A terminal's cursor, which would jump about while a picture is redrawn. It is there again when the process
 * ends, however it ends by itself, and while it is stopped by Ctrl-Z.
 */
export class Cursor {
  readonly #send: (bytes: string) => void;
  #isHidden = false;

  constructor(send: (bytes: string) => void) {
    this.#send = send;
  }

  hide(): void {
    if (this.#isHidden) return;
    this.#isHidden = true;
    this.#send("\u001b[?25l");
    process.on("exit", this.#atEnd);
    process.on("SIGTSTP", this.#stop);
  }

  show(): void {
    if (!this.#isHidden) return;
    this.#isHidden = false;
    process.off("exit", this.#atEnd);
    process.off("SIGTSTP", this.#stop);
    this.#send("\u001b[?25h");
  }

  readonly #atEnd = (): void => this.show();

  readonly #stop = (): void => {
    this.show();
    process.once("SIGCONT", () => this.hide());
    process.kill(process.pid, "SIGSTOP");
  };
}
