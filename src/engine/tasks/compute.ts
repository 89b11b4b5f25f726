import { ServiceError } from "../../errors/service-error.js";
import { runWithLazyToolContext } from "../../tools/tool-context.js";
import type { RunnerContext, RunnerResult } from "../ports.js";
import { keepGiven } from "../attempt/given.js";
import { taskTools } from "./task-tools.js";

/** A task whose child is a function of its dependencies. Its return value is the row. Tools that it calls work for the task. */
export function runCompute(context: RunnerContext): RunnerResult | Promise<RunnerResult> {
  const { job, runtime, record } = context;
  const { computeFn, nodeId } = job.task;
  if (computeFn === undefined) {
    throw new ServiceError("INTERNAL_ERROR", `Compute task ${nodeId} has no function.`);
  }
  if (job.task.needs !== undefined || job.task.deps !== undefined) {
    keepGiven(record, job, job.args);
  }
  const value = runWithLazyToolContext(
    () => taskTools(context),
    () => computeFn(job.args, runtime),
  );
  return isThenable(value) ? Promise.resolve(value).then(asRow) : asRow(value);
}

function asRow(value: unknown): RunnerResult {
  return { kind: "row", value };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null && typeof value === "object" && typeof (value as { then?: unknown }).then === "function"
  );
}
