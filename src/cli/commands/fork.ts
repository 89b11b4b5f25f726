import { defineCommand } from "../command.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import { followUp } from "../runs/follow-up.js";
import { addForkFlags, type ForkFlags, forkRequest, forkText } from "../runs/fork-flags.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

export const fork = defineCommand<ForkFlags>({
  examples: [
    { command: "treadle fork k3j2 --frame 12 --dry-run", meaning: "what a new run of frame 12 would keep" },
    { command: "treadle fork k3j2 --set env=staging --reset build", meaning: "with another input" },
  ],
  gateway: "asked",
  configure(command) {
    addForkFlags(command.addArgument(runArgument()));
  },
  async run(call) {
    const { terminal, options } = call;
    refuseOwnCodeAtGateway(options);
    const { dryRun = false } = options;
    const { place, run } = await openNamed(call, { readOnly: dryRun });
    const made = await place.forkRun(await forkRequest({ runId: run.runId, flags: options }, terminal));
    if (made.runId === null) return { json: { ...made, dryRun }, text: (colors) => forkText(made, colors) };
    const next = followUp("held", { remedy: await place.resumeRemedy(made.runId), call });
    return {
      json: { ...made, dryRun, ...next.json },
      text: (colors) => [forkText(made, colors), next.text(colors)].join("\n"),
    };
  },
});
