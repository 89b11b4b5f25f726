import { ensureError } from "./ensure-error.js";

/**
 * Calls a listener. An error that it throws, at once or as the
 * promise of an async function, must not stop what it listens to: it is a warning.
 *
 * @param of what it listens to, as in "run 7"
 */
export function notifyListener(of: string, notify: () => unknown): void {
  try {
    const reported = notify();
    if (reported instanceof Promise) reported.catch((thrown: unknown) => warn(of, thrown));
  } catch (thrown) {
    warn(of, thrown);
  }
}

function warn(of: string, thrown: unknown): void {
  process.emitWarning(`A listener of ${of} threw: ${ensureError(thrown).message}`);
}
