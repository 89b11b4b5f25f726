import type { LogFields } from "./record.js";

/** The task that code runs in. */
export interface LoggedTask {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
}

/** How a task is found lies above: the engine knows which one its caller belongs to. */
const source: { current: () => LoggedTask | undefined } = { current: () => undefined };

/** From now on records that a task's code logs carry the task's fields. */
export function takeTaskFieldsFrom(current: () => LoggedTask | undefined): void {
  source.current = current;
}

/** Of the task that the caller runs in; empty outside of tasks. */
export function taskFields(): LogFields {
  const place = source.current();
  if (place === undefined) return {};
  const { runId, nodeId, iteration, attempt } = place;
  return { runId, nodeId, iteration, attempt };
}
