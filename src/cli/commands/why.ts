import { type RunExplanation, shownState, type ShownState, remedyCommand } from "../../operations/index.js";
import { type CommandCall, defineCommand } from "../command.js";
import { type ShownBlockers, shownBlockers, type WordedBlocker } from "../output/shown-blockers.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { refusedLines } from "../output/refused-text.js";
import { paintRunState } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { taskName } from "../output/task-name.js";
import { isUsersOwn, serializedErrorLine } from "../output/thrown-text.js";
import { agoText, deadlineText, forText } from "../output/times.js";
import { visibleLine } from "../output/visible-text.js";
import { createCommandText } from "../runs/command-text.js";
import { runArgument } from "../runs/with-run.js";
import type { Report } from "../report.js";
import { withNamed } from "../source/open-place.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";

export const why = defineCommand<WatchFlags>({
  examples: [
    { command: "treadle why latest", meaning: "why the newest run does not continue" },
    { command: "treadle why k3j2 --json", meaning: "the same as data" },
  ],
  gateway: "asked",
  configure: (command) => addWatchFlags(command.addArgument(runArgument())),
  run: (call) => watched(call, () => lookAt(call)),
});

async function lookAt(call: CommandCall): Promise<Report> {
  const explanation = await withNamed(call, ({ place, run }) => place.explainRun({ runId: run.runId }));
  const commandText = createCommandText(call);
  const shown = { ...explanation, ...shownBlockers(explanation.blockers, commandText) };
  return {
    json: shown,
    text: (colors) => explanationText(shown, { colors, now: Date.now(), commandText }),
  };
}

export function explanationText(
  explanation: Omit<RunExplanation, "blockers"> & ShownBlockers,
  { colors, now, commandText }: { colors: Colors; now: number; commandText(command: string): string },
): string {
  const { runId, lastHeartbeatAtMs, nextRunId, blockers } = explanation;
  const state = shownState(explanation);
  const beat =
    lastHeartbeatAtMs === null ? "" : colors.dim(` (last heartbeat ${agoText(lastHeartbeatAtMs, now)})`);
  const lines = [`${colors.bold(runId)} ${paintRunState(state, colors)}${beat}`];
  if (nextRunId !== null) lines.push(`Nothing blocks it: it continues as run ${nextRunId}.`);
  else if (blockers.length === 0)
    lines.push(nothingText(state, commandText(remedyCommand({ action: "resume", runId }))));
  blockers.forEach((blocker, index) => {
    const since = blocker.sinceMs === null ? "" : colors.dim(`  ${forText(blocker.sinceMs, now)}`);
    const until =
      blocker.untilMs === undefined ? "" : colors.dim(`, until ${deadlineText(blocker.untilMs, now)}`);
    lines.push(
      `${index + 1}. ${visibleLine(blockerText(blocker))}${since}${until}`,
      ...refusedLines(blocker, now).map((line) => `   ${colors.yellow(line)}`),
      ...(blocker.fix === undefined ? [] : [`   ${colors.cyan(blocker.fix)}`]),
    );
  });
  for (const [kind, count] of Object.entries(explanation.omittedBlockers ?? {})) {
    const all = kind === "approval" ? `: ${commandText(treadleCommand("inbox", []))}` : "";
    lines.push(colors.dim(`… and ${count} more of kind ${kind}${all}`));
  }
  return lines.join("\n");
}

/** A task's error has a class and a place, which its message alone does not show. */
function blockerText({ kind, error, nodeId, iteration = 0, summary }: WordedBlocker): string {
  if (kind !== "failed-task" || error == null || !isUsersOwn(error)) return summary;
  const failed = nodeId === undefined ? "" : `${taskName({ nodeId, iteration })} failed: `;
  return `${failed}${serializedErrorLine(error)}`;
}

function nothingText(state: ShownState, resume: string): string {
  if (state === "running") return "Nothing blocks it: it is being driven.";
  if (state === "finished") return "Nothing blocks it: it has finished.";
  return state === "cancelled"
    ? `It was cancelled; to continue all the same: ${resume}`
    : "Nothing blocks it.";
}
