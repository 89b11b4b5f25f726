import type { Blocker } from "../../operations/index.js";
import type { Colors } from "../output/styles.js";
import { oneLine } from "../output/table.js";
import { deadlineText } from "../output/times.js";

const LONGEST_SUMMARY = 200;

interface WaitLineOptions {
  colors: Colors;
  nowMs: number;
  wait: boolean;
  /** When the run is to be looked at again; where no blocker has a deadline, an alert's rule is why. */
  wakeAtMs: number | undefined;
}

/**
 * Why this process stays with a run that only waits: what moves it next and when, or what people have to
 * do. Undefined when nothing would keep it.
 */
export function waitLine(
  blockers: readonly Blocker[],
  { colors, nowMs, wait, wakeAtMs }: WaitLineOptions,
): string | undefined {
  const timed = blockers.flatMap((blocker) =>
    blocker.untilMs === undefined ? [] : [{ ...blocker, untilMs: blocker.untilMs }],
  );
  const [next] = timed.sort((a, b) => a.untilMs - b.untilMs);
  const shown = next ?? (wait || wakeAtMs !== undefined ? blockers[0] : undefined);
  if (shown === undefined) return undefined;
  const until =
    next !== undefined
      ? `until ${deadlineText(next.untilMs, nowMs)}`
      : wakeAtMs !== undefined
        ? `an alert is due ${deadlineText(wakeAtMs, nowMs)}`
        : "no deadline";
  const more = blockers.length > 1 ? `, and ${blockers.length - 1} more` : "";
  const summary = oneLine(shown.summary, LONGEST_SUMMARY).replace(/\.$/, "");
  return `${colors.yellow("…")} stays: ${summary} (${until})${more}; Ctrl-C leaves the run as it is`;
}
