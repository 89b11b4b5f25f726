import { format } from "node:util";
import { currentAttempt } from "./task-runtime.js";

const STREAMS = { log: "stdout", info: "stdout", debug: "stdout", warn: "stderr", error: "stderr" } as const;

type Method = keyof typeof STREAMS;

/**
 * Listens to what tasks say on the console of the process. Its methods are
 * replaced once; they print as they always did, and outside of tasks do nothing
 * else.
 */
class TaskConsole {
  static readonly shared = new TaskConsole();
  #isHeard = false;

  listenTo(target: Pick<Console, Method>): void {
    if (this.#isHeard) return;
    this.#isHeard = true;
    for (const method of Object.keys(STREAMS) as Method[]) {
      const print = target[method];
      const heard = function (this: unknown, ...said: unknown[]): void {
        print.apply(this, said);
        currentAttempt()?.said(STREAMS[method], () => `${format(...said)}\n`);
      };
      // One that cannot be changed goes unheard.
      Reflect.set(target, method, heard);
    }
  }
}

/** From now on what a task's code says on the console is kept with its attempt. */
export function hearTaskConsole(): void {
  TaskConsole.shared.listenTo(globalThis.console);
}
