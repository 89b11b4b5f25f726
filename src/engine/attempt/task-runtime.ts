import { AsyncLocalStorage } from "node:async_hooks";
import { ServiceError } from "../../errors/service-error.js";
import type { TaskRuntime } from "../../model/task.js";

/** The attempt whose code runs, however far below the task's function. */
export interface RunningAttempt {
  readonly runtime: TaskRuntime;
  /** Its code has left an uncaught error behind. False when the attempt has ended already. */
  uncaught(error: unknown): boolean;
  /** Its code ends the process. */
  exiting(code: number): void;
  /** Its code has printed something. */
  said(stream: "stdout" | "stderr", text: () => string): void;
}

const current = new AsyncLocalStorage<RunningAttempt>();

/** Runs a task's code with its attempt at hand. */
export function withAttempt<T>(attempt: RunningAttempt, work: () => T): T {
  return current.run(attempt, work);
}

export function currentAttempt(): RunningAttempt | undefined {
  return current.getStore();
}

/**
 * The runtime of the task that calls, anywhere below a task's function.
 * @throws TASK_RUNTIME_UNAVAILABLE outside a running task
 */
export function getTaskRuntime(): TaskRuntime {
  const runtime = current.getStore()?.runtime;
  if (runtime === undefined) {
    throw new ServiceError("TASK_RUNTIME_UNAVAILABLE", "getTaskRuntime() was called outside a running task.");
  }
  return runtime;
}
