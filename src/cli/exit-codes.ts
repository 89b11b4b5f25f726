import { errorCodeEntry, httpStatusOf } from "../errors/codes.js";
import type { RunStatus } from "../model/run.js";

/** Exit codes of the process. Signals add 128: 130 for SIGINT, 143 for SIGTERM. */
export const EXIT = {
  ok: 0,
  runFailed: 1,
  cancelled: 2,
  waiting: 3,
  userError: 4,
} as const;

/** 128 + the number of the signal. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof SIGNAL_EXIT;

/** Exit code of a run that stands at this status. `running` means that this process released it. */
export function exitCodeOfStatus(status: RunStatus): number {
  switch (status) {
    case "finished":
    case "continued":
      return EXIT.ok;
    case "failed":
    case "running":
      return EXIT.runFailed;
    case "cancelled":
      return EXIT.cancelled;
    case "waiting-approval":
    case "waiting-event":
    case "waiting-timer":
    case "waiting-quota":
      return EXIT.waiting;
    default:
      return status satisfies never;
  }
}

/**
 * Exit code of an error that ended a command: 4 when the caller has to change
 * something (the arguments, the file, the state of the run), else 1.
 */
export function exitCodeOfError(code: string): number {
  const status = httpStatusOf(code);
  const isCallers = (status >= 400 && status < 500) || errorCodeEntry(code)?.retryable === false;
  return isCallers ? EXIT.userError : EXIT.runFailed;
}
