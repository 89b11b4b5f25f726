import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { StartOrder, SupervisorNews, SupervisorOrder } from "./supervisor.js";

/** How a life of the process ended. */
export interface SupervisorEnd {
  how: "killed" | "crashed" | "stopped" | "ended";
  code: number | null;
  atMs: number;
  stderr: string;
}

/** A process that is started again whenever it has ended, until it is stopped. */
export class LastingProcess {
  readonly ends: SupervisorEnd[] = [];
  readonly #program: string;
  readonly #order: SupervisorOrder;
  readonly #hear: (news: SupervisorNews) => void;
  #child: ChildProcess;
  #isKilled = false;
  #isStopped = false;
  #over: Promise<void> = Promise.resolve();

  constructor(program: string, order: SupervisorOrder, hear: (news: SupervisorNews) => void) {
    this.#program = program;
    this.#order = order;
    this.#hear = hear;
    this.#child = this.#live();
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  tell(start: StartOrder): void {
    if (this.#child.connected) this.#child.send(start, () => undefined);
  }

  /** Ends it by SIGKILL; it comes again. */
  kill(): void {
    this.#isKilled = true;
    this.#child.kill("SIGKILL");
  }

  /** Asks it to end, for good; by SIGKILL when it has not after so many milliseconds. */
  async stop(patienceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#child.kill("SIGTERM");
    const limit = setTimeout(() => this.kill(), patienceMs);
    await this.#over;
    clearTimeout(limit);
  }

  #live(): ChildProcess {
    const child = fork(this.#program, [JSON.stringify(this.#order)], {
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let stderr = "";
    child.stderr?.on("data", (text: Buffer) => {
      stderr = (stderr + text.toString()).slice(-2_000);
    });
    child.on("message", (news) => this.#hear(news as SupervisorNews));
    this.#over = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        const how = this.#isKilled ? "killed" : signal === "SIGKILL" ? "crashed" : "ended";
        this.ends.push({
          how: this.#isStopped && how === "ended" ? "stopped" : how,
          code,
          atMs: Date.now(),
          stderr,
        });
        this.#isKilled = false;
        resolve();
        if (!this.#isStopped) void this.#comeAgain();
      });
    });
    return child;
  }

  async #comeAgain(): Promise<void> {
    await pause(500);
    if (!this.#isStopped) this.#child = this.#live();
  }
}
