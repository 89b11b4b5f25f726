import type { Blocker } from "../../operations/explain/blocker.js";
import type { RunExplanation } from "../../operations/explain-run.js";
import { defineCommand } from "../command.js";
import { withFix } from "../output/remedy-text.js";
import { refusedLines } from "../output/refused-text.js";
import { paintRunState } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { agoText, forText, untilText } from "../output/times.js";
import { visibleLine } from "../output/visible-text.js";
import { createCommandText } from "../runs/command-text.js";
import { openRun, runArgument } from "../runs/with-run.js";

export const why = defineCommand({
  examples: [
    { command: "treadle why latest", meaning: "what keeps the newest run from going on" },
    { command: "treadle why k3j2 --json", meaning: "the same as data" },
  ],
  configure: (command) => command.addArgument(runArgument()),
  async run(call) {
    const { db, run } = await openRun(call, { readOnly: true });
    const { explainRun } = await import("../../operations/explain-run.js");
    const explanation = await explainRun(db, run.runId);
    const commandText = createCommandText(call.options);
    const blockers = explanation.blockers.map((blocker) => withFix(blocker, commandText));
    const shown = { ...explanation, blockers };
    return { json: shown, text: (colors) => explanationText(shown, { colors, now: Date.now() }) };
  },
});

/** A blocker with the command that removes it. */
type WordedBlocker = Blocker & { fix?: string };

export function explanationText(
  {
    runId,
    runState,
    lastHeartbeatAtMs,
    nextRunId,
    blockers,
  }: Omit<RunExplanation, "status" | "blockers"> & { blockers: readonly WordedBlocker[] },
  { colors, now }: { colors: Colors; now: number },
): string {
  const beat =
    lastHeartbeatAtMs === null ? "" : colors.dim(` (last heartbeat ${agoText(lastHeartbeatAtMs, now)})`);
  const lines = [`${colors.bold(runId)} ${paintRunState(runState, colors)}${beat}`];
  if (nextRunId !== null) lines.push(`Nothing blocks it: it goes on as run ${nextRunId}.`);
  else if (blockers.length === 0) lines.push(NOTHING[runState] ?? "Nothing blocks it.");
  blockers.forEach((blocker, index) => {
    const since = blocker.sinceMs === null ? "" : colors.dim(`  ${forText(blocker.sinceMs, now)}`);
    const until =
      blocker.untilMs === undefined ? "" : colors.dim(`, ends by itself ${untilText(blocker.untilMs, now)}`);
    lines.push(
      `${index + 1}. ${visibleLine(blocker.summary)}${since}${until}`,
      ...refusedLines(blocker, now).map((line) => `   ${colors.yellow(line)}`),
      ...(blocker.fix === undefined ? [] : [`   ${colors.cyan(blocker.fix)}`]),
    );
  });
  return lines.join("\n");
}

const NOTHING: Readonly<Partial<Record<RunExplanation["runState"], string>>> = {
  running: "Nothing blocks it: it is being driven.",
  succeeded: "Nothing blocks it: it has finished.",
  cancelled: "It was cancelled; treadle up --resume continues it.",
};
