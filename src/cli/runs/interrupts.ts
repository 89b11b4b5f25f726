import { SIGNAL_EXIT, type StopSignal } from "../exit-codes.js";

const SIGNALS = Object.keys(SIGNAL_EXIT) as StopSignal[];

/**
 * Calls `onSignal` for the first SIGINT, SIGTERM or SIGHUP; the second one ends
 * the process at once. Returns the function that restores the default.
 */
export function onInterrupt(onSignal: (signal: StopSignal) => void): () => void {
  let received = 0;
  const listener = (signal: NodeJS.Signals) => {
    received += 1;
    if (received > 1) process.exit(SIGNAL_EXIT[signal as StopSignal]);
    onSignal(signal as StopSignal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

/** Signals that the first and the second interrupt fire; the third one ends the process at once. */
export function onInterrupts(): {
  first: AbortSignal;
  second: AbortSignal;
  received(): StopSignal | undefined;
  dispose(): void;
} {
  const [first, second] = [new AbortController(), new AbortController()];
  let received: StopSignal | undefined;
  const listener = (signal: NodeJS.Signals) => {
    received = signal as StopSignal;
    if (second.signal.aborted) process.exit(SIGNAL_EXIT[received]);
    (first.signal.aborted ? second : first).abort();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    first: first.signal,
    second: second.signal,
    received: () => received,
    dispose() {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}

/** An AbortSignal that the first interrupt fires, for commands that only watch. */
export function watchInterrupts(): {
  signal: AbortSignal;
  received(): StopSignal | undefined;
  dispose(): void;
} {
  const controller = new AbortController();
  let received: StopSignal | undefined;
  const dispose = onInterrupt((signal) => {
    received = signal;
    controller.abort();
  });
  return { signal: controller.signal, received: () => received, dispose };
}
