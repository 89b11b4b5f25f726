/**
 * Node's own, as they were when this was loaded: tests of programs replace the global ones, and what only lets
 * other work in, or ends a turn, would never come back.
 */
const { setImmediate, queueMicrotask, setTimeout } = globalThis;

export { setImmediate as ownImmediate, queueMicrotask as ownMicrotask, setTimeout as ownTimeout };

/** Resolves in the next turn of the event loop. */
export function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Whether this was loaded when they had been replaced already. Every library of fakes marks them so. */
export function areReplaced(): boolean {
  return Object.hasOwn(setImmediate, "clock");
}
