import { AsyncLocalStorage } from "node:async_hooks";
import { ServiceError } from "../../errors/service-error.js";
import type { TaskRuntime } from "../../model/task.js";

const current = new AsyncLocalStorage<TaskRuntime>();

/** Runs a task's code with its runtime at hand. */
export function withTaskRuntime<T>(runtime: TaskRuntime, work: () => T): T {
  return current.run(runtime, work);
}

/**
 * The runtime of the task that calls, anywhere below a task's function.
 * @throws ServiceError TASK_RUNTIME_UNAVAILABLE outside a running task
 */
export function getTaskRuntime(): TaskRuntime {
  const runtime = current.getStore();
  if (runtime === undefined) {
    throw new ServiceError("TASK_RUNTIME_UNAVAILABLE", "getTaskRuntime() was called outside a running task.");
  }
  return runtime;
}
