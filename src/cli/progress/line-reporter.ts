import type { OutputStream } from "../output/stream.js";
import { clockText } from "../output/times.js";
import { taskName } from "../output/task-name.js";
import { eventLine } from "./event-line.js";
import type { ProgressReporter, ReporterOptions } from "./reporter.js";

/** A sign of life after this long without a line, milliseconds: readers are promised one every ten seconds. */
const SILENCE_MS = 9_000;

/** Progress as lines, for files, pipes and CI: `[+00:01:23] ✓ research (attempt 1, 49.0s)`. */
export function createLineReporter(
  stream: OutputStream,
  { tally, verbose, commandText }: ReporterOptions,
): ProgressReporter {
  const { colors } = stream;
  const stamped = (text: string, atMs: number) => {
    stream.line(`${colors.dim(`[+${clockText(atMs - tally.startedAtMs)}]`)} ${text}`);
    silence.refresh();
  };
  const silence = setInterval(() => stamped(signOfLife(), Date.now()), SILENCE_MS).unref();

  /** Of the newest reload; what it has cancelled has its time. */
  let reloadedAtMs = Number.NaN;

  const signOfLife = () => {
    const running = tally.inState("in-progress").map(taskName);
    const shown =
      running.slice(0, 5).join(", ") + (running.length > 5 ? ` and ${running.length - 5} more` : "");
    return running.length > 0 ? `still running: ${shown}` : "still waiting";
  };

  return {
    event(event) {
      const before = tally.apply(event);
      if (event.type === "WorkflowReloaded") reloadedAtMs = event.timestampMs;
      // The line of the reload has counted them.
      else if (event.type === "NodeCancelled" && event.timestampMs === reloadedAtMs && !verbose) return;
      const line = eventLine(event, { colors, before, verbose, commandText });
      if (line !== undefined) stamped(line, event.timestampMs);
    },
    print: (text) => stream.write(text),
    close: () => clearInterval(silence),
  };
}
