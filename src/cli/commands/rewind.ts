import { parseTaskKey } from "../../model/address.js";
import type { RewindResult } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { wholeNumber } from "../input/option-values.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import type { Colors } from "../output/styles.js";
import { taskNames } from "../output/task-name.js";
import { followUp } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface RewindOptions {
  acceptEffects?: boolean;
  revert?: boolean;
  force?: boolean;
  up?: boolean;
  acceptWorkflowChange?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export const rewind = defineCommand<RewindOptions>({
  examples: [
    { command: "treadle rewind k3j2 12 --dry-run", meaning: "which tasks would run again" },
    { command: "treadle rewind k3j2 12 --up", meaning: "go back to frame 12, and continue from there" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<frame>", "number of the frame to go back to, as timeline lists it")
      .option("--accept-effects", "although tools have changed something outside that may happen again")
      .option("--no-revert", "leave alone what tools could undo: it counts as all they have changed")
      .option("--force", "take the run over even if a process seems to drive it")
      .option("--up", "continue the run at once")
      .option("--accept-workflow-change", "although files of the workflow have changed since")
      .option("--dry-run", "only show what would change")
      .option("-y, --yes", "do not ask; needed without a terminal");
  },
  async run(call) {
    const { terminal, options, args } = call;
    const { gateway, acceptWorkflowChange = false } = options;
    refuseOwnCodeAtGateway({ gateway, acceptWorkflowChange });
    const frameNo = wholeNumber("<frame>")(args[1] as string);
    const { acceptEffects = false, revert = true, force = false, dryRun = false, yes = false } = options;
    const { place, run } = await openNamed(call, { readOnly: dryRun });
    const request = { runId: run.runId, frameNo, acceptEffects, revert, force, acceptWorkflowChange };
    const preview = await place.rewindRun({ ...request, dryRun: true });
    if (dryRun) {
      return { json: { ...preview, dryRun }, text: (colors) => rewindText(preview, colors) };
    }
    if (!yes) terminal.err.line(rewindText(preview, terminal.err.colors));
    const question = `Go back to frame ${frameNo}? The rows that were written since go.`;
    if (!(await confirm(question, { terminal, yes }))) {
      return {
        json: { runId: run.runId, dryRun, frameNo: null },
        text: () => "Nothing was changed.",
        exitCode: EXIT.cancelled,
      };
    }
    const result = await place.rewindRun({ ...request, dryRun: false });
    if (options.up === true && gateway !== undefined) {
      const { status } = await place.resumeRun({
        runId: run.runId,
        force: false,
        acceptWorkflowChange: false,
      });
      return {
        json: { ...result, dryRun, status },
        text: (colors) => `${rewindText(result, colors)}\n  The gateway continues it.`,
      };
    }
    if (options.up === true) {
      const { continueRun } = await import("../drive/continue-run.js");
      return continueRun(call, run.runId, { acceptWorkflowChange });
    }
    const next = followUp("held", { remedy: await place.resumeRemedy(run.runId), call });
    return {
      json: { ...result, dryRun, ...next.json },
      text: (colors) => [rewindText(result, colors), next.text(colors)].join("\n"),
    };
  },
});

function rewindText(
  { runId, frameNo, resetNodes, restoredNodes, reverts, undone, effects }: RewindResult,
  colors: Colors,
) {
  const namesOf = (keys: readonly string[]) => taskNames(keys.map(parseTaskKey)).join(", ");
  const lines = [
    ...(resetNodes.length > 0 ? [`  pending again  ${namesOf(resetNodes)}`] : []),
    ...(restoredNodes.length > 0 ? [`  as it was      ${namesOf(restoredNodes)}`] : []),
    ...reverts.map((call) => `  is undone      ${call}`),
    ...undone.map((call) => colors.yellow(`  was undone     ${call}: the frame has what came of it`)),
    ...effects.map((effect) => colors.yellow(`  was done       ${effect}: may happen again`)),
  ];
  return [`Run ${runId} in frame ${frameNo}:`, ...(lines.length > 0 ? lines : ["  no task differs"])].join(
    "\n",
  );
}
