import type { TaskKind } from "./task.js";

/** Kinds that only wait: their attempt writes down what has ended the wait, and does no work of its own. */
export function isWaitKind(kind: TaskKind): boolean {
  return kind === "approval" || kind === "event" || kind === "timer" || kind === "human";
}
