import type { ReplayFork } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import type { Colors } from "../output/styles.js";
import { addForkFlags, type ForkFlags, forkRequest, forkText } from "../runs/fork-flags.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface ReplayFlags extends ForkFlags {
  acceptEffects?: boolean;
  restoreVcs?: boolean;
}

export const replay = defineCommand<ReplayFlags>({
  examples: [
    {
      command: "treadle replay latest --node review",
      meaning: "as a new run, begin again before review ended, on the code of now",
    },
    { command: "treadle replay k3j2 --frame 12 --dry-run", meaning: "what it would keep, and do twice" },
  ],
  gateway: "asked",
  configure(command) {
    addForkFlags(command.addArgument(runArgument()))
      .option("--accept-effects", "although tools have changed something outside that may happen again")
      .option("--restore-vcs", "check the files of then out into a new worktree, which the new run works in");
  },
  async run(call) {
    const { terminal, options } = call;
    refuseOwnCodeAtGateway(options);
    const {
      dryRun = false,
      acceptEffects = false,
      restoreVcs = false,
      acceptWorkflowChange = false,
      gateway,
    } = options;
    const { place, run } = await openNamed(call, { readOnly: dryRun });
    const request = await forkRequest({ runId: run.runId, flags: options }, terminal);
    const made = await place.replayRun({ ...request, acceptEffects, restoreVcs });
    if (made.runId === null || gateway !== undefined) {
      return { json: { ...made, dryRun }, text: (colors) => replayText(made, colors) };
    }
    terminal.err.line(replayText(made, terminal.err.colors));
    const { continueRun } = await import("../drive/continue-run.js");
    return continueRun(call, made.runId, { acceptWorkflowChange });
  },
});

function filesText({ restored }: ReplayFork): string[] {
  if (restored === null) return [];
  const { commit, worktree } = restored;
  const where = worktree === null ? "checked out into a new worktree beside the repository" : worktree;
  return [`  files         ${commit.slice(0, 12)}: ${where}`];
}

function replayText(made: ReplayFork, colors: Colors): string {
  const again = made.effects.map((effect) => colors.yellow(`  was done      ${effect}: may happen again`));
  return [forkText(made, colors), ...filesText(made), ...again].join("\n");
}
