import { Script } from "node:vm";

/** Longest check of one input, in milliseconds: honest schemas take less than one, but the machine may be busy. */
const LONGEST_CHECK_MS = 2_000;

/** A value on the global object is the only thing that a script sees of its caller. */
const WORK = Symbol.for("treadle.openapi.check");
const script = new Script(`globalThis[Symbol.for("treadle.openapi.check")]()`);

/**
 * The result of `check`, or `onTimeout()` when it takes too long. Patterns come from a document, and
 * one such as `^(a+)+$` would hold the process up for ever: the watchdog of `node:vm` ends even that.
 */
export function withinTimeLimit<T>(check: () => T, onTimeout: () => T): T {
  const globals = globalThis as { [WORK]?: (() => T) | undefined };
  const outer = globals[WORK];
  globals[WORK] = check;
  try {
    return script.runInThisContext({ timeout: LONGEST_CHECK_MS }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return onTimeout();
    throw error;
  } finally {
    globals[WORK] = outer;
  }
}
