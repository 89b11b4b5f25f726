import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";
import { currentAttempt } from "./task-runtime.js";

const STREAMS = { log: "stdout", info: "stdout", debug: "stdout", warn: "stderr", error: "stderr" } as const;

type Method = keyof typeof STREAMS;

const METHODS = Object.keys(STREAMS) as Method[];

/** Which listeners hear a method. Of the process, so that two copies of the library do not wrap each other for ever. */
const HEARD_BY = Symbol.for("treadle.console");
const ofProcess = globalThis as { [HEARD_BY]?: WeakMap<object, ReadonlySet<object>> };
ofProcess[HEARD_BY] ??= new WeakMap();

/**
 * Listens to what tasks say on the console of the process. Its methods are
 * replaced; they print as they always did, and outside of tasks do nothing
 * else. A method that is replaced later is listened to from the next task on.
 */
class TaskConsole {
  static readonly shared = new TaskConsole();
  readonly #heardBy = ofProcess[HEARD_BY] ?? new WeakMap<object, ReadonlySet<object>>();
  /** Set while a method prints: what it prints with may be one that is heard, too. */
  readonly #printing = new AsyncLocalStorage<true>();

  /** The methods found last, which are listened to: with each task they are there again. */
  readonly #last: Partial<Record<Method, unknown>> = {};

  listenTo(target: Pick<Console, Method>): void {
    for (const method of METHODS) {
      const print = target[method];
      if (print === this.#last[method] || typeof print !== "function") continue;
      this.#last[method] = print;
      const listeners = this.#heardBy.get(print);
      if (listeners?.has(this)) continue;
      const heard = this.#heard(print, STREAMS[method]);
      this.#heardBy.set(heard, new Set(listeners).add(this));
      // One that cannot be changed goes unheard.
      Reflect.set(target, method, heard);
    }
  }

  #heard(print: Console[Method], stream: "stdout" | "stderr"): Console[Method] {
    const printing = this.#printing;
    return function (this: unknown, ...said: unknown[]): void {
      if (printing.getStore() === true) return print.apply(this, said);
      printing.run(true, () => print.apply(this, said));
      currentAttempt()?.said(stream, () => `${format(...said)}\n`);
    };
  }
}

/** From now on what a task's code says on the console is kept with its attempt. */
export function hearTaskConsole(): void {
  TaskConsole.shared.listenTo(globalThis.console);
}
