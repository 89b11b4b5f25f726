import type { RunEvent } from "../../model/events.js";
import type { OutputStream } from "../output/stream.js";
import type { RunTally } from "./run-tally.js";

/** Shows a run while it is driven. Writes to stderr only. */
export interface ProgressReporter {
  event(event: RunEvent): void;
  /** Something said by others (a task's console output, a warning), without disturbing the picture. */
  print(text: string): void;
  /** Takes the live picture away; what follows is the summary. */
  close(): void;
}

export interface ReporterOptions {
  tally: RunTally;
  /** Also what tasks and agents write. */
  verbose: boolean;
  /** A command line as this call has to type it. */
  commandText(command: string): string;
}

/** Counts, and shows nothing but what others print. */
export function silentReporter(tally: RunTally, stream: OutputStream): ProgressReporter {
  return {
    event: (event) => {
      tally.apply(event);
    },
    print: (text) => stream.write(text),
    close: () => {},
  };
}
