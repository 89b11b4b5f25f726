import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { currentAttempt } from "./task-runtime.js";

/**
 * The effect of errors and exits of a task's code on the process.
 *
 * G1  An uncaught error fails the attempt that it comes from. One
 *     that comes after its attempt is reported, never thrown.
 * G2  An error of no attempt is the process's own matter, as if this file did not
 *     exist, unless the process has promised to survive it.
 * G3  The process is changed once, by its first attempt, and not for good while
 *     it has none: code of a task may fail long after the task.
 */
class ProcessGuard {
  static readonly shared = new ProcessGuard();
  readonly #survivors: ((error: Error) => void)[] = [];
  #isOn = false;
  #isExiting = false;

  watch(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    process.on("unhandledRejection", this.#onRejection);
    process.on("uncaughtException", this.#onException);
    process.on("exit", this.#onExit);
    this.#routeBareExit();
  }

  /** `process.reallyExit`, with which `process.exit` ends, tells no listener: called by a task it is `process.exit`. */
  #routeBareExit(): void {
    const target = process as { reallyExit?(code?: number): never };
    const end = target.reallyExit;
    if (end === undefined) return;
    const route = (code?: number): never => {
      if (this.#isExiting || currentAttempt() === undefined) return end.call(process, code);
      this.#isExiting = true;
      try {
        return process.exit(code);
      } finally {
        // Where the task may not end the process.
        this.#isExiting = false;
      }
    };
    // Where it cannot be replaced it stays as it is.
    Reflect.set(target, "reallyExit", route);
  }

  survive(notify: (error: Error) => void): () => void {
    this.watch();
    this.#survivors.push(notify);
    return () => {
      const at = this.#survivors.indexOf(notify);
      if (at >= 0) this.#survivors.splice(at, 1);
    };
  }

  readonly #onRejection = (reason: unknown): void => {
    if (this.#isDealtWith(reason) || process.listenerCount("unhandledRejection") > 1) return;
    // As without a listener: the next event is uncaughtException.
    throw reason;
  };

  readonly #onException = (error: unknown): void => {
    if (this.#isDealtWith(error) || process.listenerCount("uncaughtException") > 1) return;
    process.off("uncaughtException", this.#onException);
    process.nextTick(() => {
      throw error;
    });
  };

  readonly #onExit = (code: number): void => {
    this.#isExiting = true;
    currentAttempt()?.exiting(code);
  };

  #isDealtWith(error: unknown): boolean {
    const attempt = currentAttempt();
    if (attempt?.uncaught(error) === true) return true;
    const notify = this.#survivors.at(-1);
    if (notify !== undefined) notify(ensureError(error));
    else if (attempt !== undefined) {
      const { nodeId, attempt: no, runId } = attempt.runtime;
      const { message } = ensureError(error);
      process.emitWarning(
        `Attempt ${no} of ${nodeId} in run ${runId} had ended when its code threw: ${message}`,
      );
    }
    return notify !== undefined || attempt !== undefined;
  }
}

/** Sees to it that errors which a task's code leaves behind end up with its attempt. */
export function guardProcess(): void {
  ProcessGuard.shared.watch();
}

/**
 * From now on the process survives every uncaught error: those of an
 * attempt fail it, of the others `tell` hears. Returns the function that ends this.
 */
export function surviveStrayErrors(notify: (error: Error) => void): () => void {
  return ProcessGuard.shared.survive(notify);
}

/**
 * From now on `process.exit` in a task's code throws instead of ending a process
 * that also serves others. Returns the function that ends this.
 */
export function withholdExit(): () => void {
  const exit = process.exit;
  process.exit = (code) => {
    const attempt = currentAttempt();
    if (attempt === undefined) return exit(code);
    const { nodeId } = attempt.runtime;
    throw new ServiceError(
      "TASK_EXITED_PROCESS",
      `Task ${nodeId} called process.exit(${code ?? ""}), which would have ended every run of this process.`,
      { details: { nodeId, exitCode: code ?? null }, retryable: false },
    );
  };
  return () => {
    process.exit = exit;
  };
}
