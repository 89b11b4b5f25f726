import { type ChildProcess, fork } from "node:child_process";
import type { ContenderNews, ContenderOrder } from "./contender.js";

/** A process that resumes runs on request. */
export class Contender {
  readonly #child: ChildProcess;
  #news: ContenderNews[] = [];
  #arrived: (() => void) | null = null;

  constructor(program: string, files: { database: string; trail: string }) {
    this.#child = fork(program, [files.database, files.trail], { execArgv: [] });
    this.#child.on("message", (news) => {
      this.#news.push(news as ContenderNews);
      this.#arrived?.();
    });
    this.#child.once("exit", () => this.#arrived?.());
  }

  tell(order: ContenderOrder): void {
    this.#child.send(order);
  }

  /** The next thing it says. */
  async news(): Promise<ContenderNews> {
    while (this.#news.length === 0) {
      if (this.#child.exitCode !== null) throw new Error(`It ended with ${this.#child.exitCode}.`);
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return this.#news.shift() as ContenderNews;
  }

  /** Ends it by SIGKILL. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}
